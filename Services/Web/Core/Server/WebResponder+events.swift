import Assembly
import BoxOffice
import Envelope
import HTTPTypes
import Localization
import MessageBus

/// Streams of server-sent events: changes of a chart, or the events of the stack.
extension WebResponder {
    func events(_ topic: LiveTopic, after: String?, _ request: WebRequest) -> WebResponse {
        if case .events = topic, !configuration.explains { return .text(.notFound, "This server shows no events.") }
        guard live.canListen(request.client) else {
            var response = WebResponse.text(.serviceUnavailable, "There are too many open streams. Try again later.")
            response.fields[.retryAfter] = String(WebTiming.retryAfterSeconds)
            return response
        }
        // A browser that connects again by itself sends the field; our script knows the last id, too.
        let last = request.fields[.lastEventID] ?? after
        let body: WebResponse.Stream = { send in
            guard let send, let listener = live.open(topic, request.client, request.connection) else { return }
            defer { live.close(listener) }
            let start = last.flatMap(LiveFeed.Ring.Cursor.init) ?? live.end(of: topic)
            try await stream(listener, from: start) { bytes in
                live.beginWrite(listener)
                defer { live.endWrite(listener) }
                try await send(bytes)
            }
        }
        var response = WebResponse(.ok, .stream(body), "text/event-stream; charset=utf-8")
        // A proxy must not collect what should arrive at once.
        response.fields[.accelBuffering] = "no"
        return response
    }

    private func stream(
        _ listener: LiveFeed.Listener, from start: LiveFeed.Ring.Cursor, _ send: WebResponse.Send
    ) async throws {
        var cursor = start
        try await send(Array("retry: 3000\n\n".utf8)[...])
        if let version = live.newVersion(for: listener) {
            try await send(Array("id: \(cursor)\nevent: chart\ndata: {\"version\":\"\(version)\"}\n\n".utf8)[...])
        }
        while true {
            switch await live.next(listener, after: cursor, until: .now + WebTiming.heartbeat) {
            case .batch(let batch):
                cursor = batch.cursor
                if batch.lost != 0 {
                    let lost = batch.lost.map(String.init) ?? "null"
                    try await send(Array("id: \(cursor)\nevent: gap\ndata: {\"lost\":\(lost)}\n\n".utf8)[...])
                }
                if !batch.bytes.isEmpty { try await send(batch.bytes[...]) }
            case .quiet: try await send(Array(": still here\n\n".utf8)[...])
            case .ended:
                // The next server is there in a moment.
                try await send(Array("retry: 1000\n\n".utf8)[...])
                return
            }
        }
    }
}
