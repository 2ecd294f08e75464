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
            guard let send, let listener = live.open(topic, request.client) else { return }
            defer { live.close(listener) }
            try await stream(topic, from: last.flatMap(LiveFeed.Ring.Cursor.init) ?? live.end(of: topic), send)
        }
        var response = WebResponse(.ok, .stream(body), "text/event-stream; charset=utf-8")
        // A proxy must not collect what should arrive at once.
        response.fields[.accelBuffering] = "no"
        return response
    }

    private func stream(
        _ topic: LiveTopic, from start: LiveFeed.Ring.Cursor, _ send: @escaping WebResponse.Send
    ) async throws {
        var cursor = start
        try await write("retry: 3000\n\n", send)
        if let version = live.newVersion(for: topic) {
            try await write("id: \(cursor)\nevent: chart\ndata: {\"version\":\"\(version)\"}\n\n", send)
        }
        while true {
            switch await live.next(topic, after: cursor, until: .now + WebTiming.heartbeat) {
            case .batch(let batch):
                cursor = batch.cursor
                if batch.lost != 0 {
                    let lost = batch.lost.map(String.init) ?? "null"
                    try await write("id: \(cursor)\nevent: gap\ndata: {\"lost\":\(lost)}\n\n", send)
                }
                try await write(batch.bytes[...], send)
            case .quiet: try await write(": still here\n\n", send)
            case .ended:
                // The next server is there in a moment.
                try await write("retry: 1000\n\n", send)
                return
            }
        }
    }

    private func write(_ text: String, _ send: @escaping WebResponse.Send) async throws {
        try await write(Array(text.utf8)[...], send)
    }

    /// A client that does not read for so long is cut off: it gets the rest when it connects again.
    private func write(_ bytes: ArraySlice<UInt8>, _ send: @escaping WebResponse.Send) async throws {
        guard !bytes.isEmpty else { return }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await send(bytes) }
            group.addTask {
                try await Task.sleep(for: WebTiming.listenerLimit)
                throw CancellationError()
            }
            defer { group.cancelAll() }
            try await group.next()
        }
    }
}
