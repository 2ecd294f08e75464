import Envelope
import MessageBus
import ServiceKit
import Synchronization

/// What a query did, line by line, for `--verbose`.
final class QueryLog: Sendable {
    private let start = ContinuousClock.now
    private let entries = Mutex<[String]>([])

    var lines: [String] { entries.withLock { $0 } }

    func add(what: String, _ reply: BusReply) {
        let header = reply.envelope.header
        var words = [header.sender, what, milliseconds(reply.took), header.status?.rawValue ?? "ok"]
        if let cache = header.cache { words.append(cache.summary) }
        if let calls = header.timing?.upstreamCalls { words.append("upstream calls \(calls)") }
        if reply.attempts > 1 { words.append("handed out \(reply.attempts) times") }
        append(words)
    }

    func add(what: String, _ failure: Failure) {
        add(what: what, failure.code.rawValue)
    }

    func add(what: String, _ word: String) {
        append(["-", what, word])
    }

    private func append(_ words: [String]) {
        let at = milliseconds(.now - start)
        entries.withLock { $0.append("\(at)  " + words.map(\.printable).joined(separator: "  ")) }
    }

    private func milliseconds(_ duration: Duration) -> String {
        let tenths = duration.wholeMicroseconds / 100
        return "\(tenths / 10).\(tenths % 10) ms"
    }
}
