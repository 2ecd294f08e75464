public import Logging
public import ProcessKit

/// Logs of all programs on stderr: time, level, program, message, then the facts by name.
///
/// "2026-11-29T17:43:03+0000 notice web: listening web.url=http://127.0.0.1:8080"
public struct LineLogHandler: LogHandler {
    public var logLevel: Logger.Level = .info
    public var metadata: Logger.Metadata = [:]

    private let label: String
    private let clock: WallClock
    private let write: @Sendable (String) -> Void

    /// - Parameters:
    ///   - label: the name of the program.
    ///   - write: takes one line with its end.
    public init(
        label: String, clock: WallClock = .system,
        write: @escaping @Sendable (String) -> Void = { LineOutput.note($0) }
    ) {
        self.label = label
        self.clock = clock
        self.write = write
    }

    public subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    public func log(event: LogEvent) {
        let facts = metadata.merging(event.metadata ?? [:]) { $1 }.sorted { $0.key < $1.key }
        let words = facts.map { " \($0.key)=\(Self.quoted("\($0.value)"))" }.joined()
        // Texts of messages and of other programs may contain line ends.
        let text = "\(event.message)".printable
        write("\(time) \(event.level.rawValue) \(label): \(text)\(words)\n")
    }

    /// In the form that the launcher's `logs` reads: UTC to the second.
    private var time: String {
        RFC3339.text(microseconds: Int64(max(0, clock.now())) * 1_000_000).prefix(19) + "+0000"
    }

    private static func quoted(_ value: String) -> String {
        let value = value.printable
        return value.contains { $0 == " " || $0 == "\"" }
            ? "\"\(value.replacing("\"", with: "\\\""))\"" : value
    }
}
