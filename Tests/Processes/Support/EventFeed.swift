import Foundation
import Testing

/// One line of `tap --json`.
struct TapEvent: Decodable, Sendable {
    enum AttributeValue: Decodable, Sendable, Equatable {
        case text(String)
        case number(Int)

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let number = try? container.decode(Int.self) {
                self = .number(number)
            } else {
                self = .text(try container.decode(String.self))
            }
        }
    }

    let time: String
    let sequence: UInt64
    let kind: String
    let source: String
    let query: String?
    let request: String?
    let attributes: [String: AttributeValue]

    func says(_ name: String, _ text: String) -> Bool { attributes[name] == .text(text) }

    func text(_ name: String) -> String? {
        guard case .text(let text) = attributes[name] else { return nil }
        return text
    }

    static func decode(_ line: String) throws -> TapEvent {
        try JSONDecoder().decode(TapEvent.self, from: Data(line.utf8))
    }
}

/// The live events of a stack, which most tests here wait for.
struct EventFeed {
    struct Ended: Error, CustomStringConvertible {
        /// What tap wrote to its standard error.
        let errors: String

        var description: String { "tap ended before the awaited event: \(errors)" }
    }

    fileprivate var lines: Command.Lines

    /// The process id of the tap.
    var processIdentifier: pid_t { lines.processIdentifier }

    /// The next event; skips lines about lost events.
    mutating func next() async throws -> TapEvent {
        while let line = try await lines.next() {
            if !line.hasPrefix(#"{"lost""#) { return try TapEvent.decode(line) }
        }
        throw Ended(errors: try lines.errors())
    }

    /// The next event that matches; skips those before it.
    @discardableResult
    mutating func first(_ kind: String, where fits: (TapEvent) -> Bool = { _ in true }) async throws -> TapEvent {
        while true {
            let event = try await next()
            if event.kind == kind, fits(event) { return event }
        }
    }
}

/// The registered workers, derived from the broker's events.
struct ServiceDirectory {
    private(set) var present: Set<String> = []

    mutating func heard(_ event: TapEvent) {
        guard let instance = event.text("instance") else { return }
        if event.kind == "broker.worker_joined" { present.insert(instance) }
        if event.kind == "broker.worker_left" { present.remove(instance) }
    }
}

extension TestStack {
    static let workers: Set = [
        "cache-store/1", "chart-fetcher/1", "detail-fetcher/1", "detail-fetcher/2", "poster-resolver/1",
        "poster-resolver/2", "archive/1",
    ]

    /// Waits until the workers are registered, also while the broker restarts.
    func untilComplete(_ workers: Set<String> = workers) async throws {
        var roll = ServiceDirectory()
        while !roll.present.isSuperset(of: workers) {
            roll = try await command(Repository.binaries + "/tap", ["--json", "--last", "10000"]).reading { lines in
                var feed = EventFeed(lines: lines)
                var roll = ServiceDirectory()
                while !roll.present.isSuperset(of: workers), let event = try? await feed.next() {
                    roll.heard(event)
                }
                return roll
            }
            try Task.checkCancellation()
        }
    }

    /// Waits until a question finds every worker, over whichever bus.
    func untilAllAnswer() async throws {
        while true {
            let ended = try await gateway("workers", "--lang", "en")
            if ended.status == 0, Self.workers.allSatisfy(ended.output.contains) { return }
            try Task.checkCancellation()
        }
    }

    /// Waits until the events can be read: servers of NATS that have just started elect a leader of the stream first.
    func untilEventsAreReadable() async throws {
        while true {
            let ended = try await tap("--last", "1", "--no-follow", "--json")
            if ended.status == 0, !ended.output.isEmpty { return }
            try Task.checkCancellation()
        }
    }

    /// Waits until events arrive at once: servers of NATS store them after the election of a leader of the stream, when a
    /// client may have ended already.
    func untilEventsAreStored(_ feed: inout EventFeed) async throws {
        let asking = Task { while !Task.isCancelled { _ = try await gateway("chart", "2007-03-01") } }
        defer { asking.cancel() }
        try await feed.first("query.answered") { $0.says("command", "chart") }
        asking.cancel()
        _ = await asking.result
    }

    /// The past events that the broker retains.
    func pastEvents() async throws -> [TapEvent] {
        let printed = try await tap("--last", "10000", "--no-follow", "--json")
        return try printed.output.split(separator: "\n").map { try TapEvent.decode(String($0)) }
    }

    /// Runs `body` with a feed of all later events.
    func watching<Result: Sendable>(_ body: (inout EventFeed) async throws -> Result) async throws -> Result {
        try await command(Repository.binaries + "/tap", ["--json", "--last", "1"]).reading { lines in
            var feed = EventFeed(lines: lines)
            // The last past event arrives after tap has subscribed: no later event is missed.
            _ = try await feed.next()
            return try await body(&feed)
        }
    }
}
