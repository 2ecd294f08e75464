import Assembly
import Domain
import Envelope
import HTTPTypes
import Localization
import MessageBus

/// Streams of server-sent events: changes of a chart, or the events of the stack.
extension WebResponder {
    func events(_ topic: LiveTopic, after: String?, _ request: WebRequest) -> WebResponse {
        if case .events = topic, !configuration.explains { return .text(.notFound, "This server shows no events.") }
        // The stream of a chart makes this server watch it, which causes calls.
        if request.isOfOtherSite { return .text(.forbidden, "Streams are for the pages of this server.") }
        guard streams.canOpen(from: request.client) else {
            var response = WebResponse.text(.serviceUnavailable, "There are too many open streams. Try again later.")
            response.fields[.retryAfter] = String(WebTiming.retryAfterSeconds)
            return response
        }
        // A browser that connects again by itself sends the field; our script knows the last id, too.
        let last = (request.fields[.lastEventID] ?? after).flatMap(LiveStreams.Ring.Cursor.init)
        let body: WebResponse.Stream = { output in
            guard let output, let listener = streams.open(topic, after: last, request.client, request.connection)
            else { return }
            defer { streams.close(listener) }
            let watched = topic.chart.flatMap { watches.begin($0) ? $0 : nil }
            defer { if let watched { watches.end(watched) } }
            try await stream(listener, output)
        }
        var response = WebResponse(.ok, .stream(body), "text/event-stream; charset=utf-8")
        // A proxy must not collect what should arrive at once.
        response.fields[.accelBuffering] = "no"
        return response
    }

    /// One place writes, since each call within a stream that stays open for hours takes memory.
    private func stream(_ listener: LiveStreams.Listener, _ output: PieceWriter) async throws {
        var cursor = listener.start
        var isLast = false
        var piece = opening(listener, cursor)
        while true {
            streams.beginWrite(listener)
            try await output.write(piece)
            streams.endWrite(listener)
            if isLast { return }
            switch await streams.next(listener, after: cursor, until: .now + WebTiming.heartbeat) {
            case .batch(let batch):
                cursor = batch.cursor
                piece = gap(batch) + batch.bytes
            case .quiet: piece = Array(": still here\n\n".utf8)
            case .ended:
                // The next server is there in a moment.
                piece = Array("retry: 1000\n\n".utf8)
                isLast = true
            }
        }
    }

    private func opening(_ listener: LiveStreams.Listener, _ cursor: LiveStreams.Ring.Cursor) -> [UInt8] {
        let version = newVersion(for: listener.topic).map {
            "id: \(cursor)\nevent: chart\ndata: {\"version\":\"\($0)\"}\n\n"
        }
        return Array("retry: 3000\n\n\(version ?? "")".utf8)
    }

    /// The version of a chart that the listener has not seen yet.
    private func newVersion(for topic: LiveTopic) -> String? {
        guard case .chart(let selection, let known) = topic, let current = watches.version(of: selection) else {
            return nil
        }
        return current == known ? nil : current
    }

    private func gap(_ batch: LiveStreams.Ring.Batch) -> [UInt8] {
        guard batch.lost != 0 else { return [] }
        let lost = batch.lost.map(String.init) ?? "null"
        return Array("id: \(batch.cursor)\nevent: gap\ndata: {\"lost\":\(lost)}\n\n".utf8)
    }
}
