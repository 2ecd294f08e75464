public import MessageBus

/// The options of a worker in READY (our extension of 0.2), to which the broker agrees.
///
/// On the wire: lines `key=value` in UTF-8; unknown keys are ignored.
public struct WorkerOptions: Sendable, Equatable {
    /// The name of the process, such as "chart-fetcher/1"; a second connection with the same name expels the first.
    public var instance: String
    /// The number of requests that it takes at a time.
    public var capacity: Int
    /// The silence after which either side sends a heartbeat.
    public var heartbeatInterval: Duration
    /// Refuses a second worker of the same service.
    public var isExclusive: Bool
    /// A number that distinguishes a returning process from another process of the same name.
    public var process: UInt64?

    public init(
        instance: String, capacity: Int, heartbeatInterval: Duration, isExclusive: Bool = false, process: UInt64? = nil
    ) {
        self.instance = instance
        self.capacity = capacity
        self.heartbeatInterval = heartbeatInterval
        self.isExclusive = isExclusive
        self.process = process
    }

    public var encoded: Frame {
        var lines = [
            "instance=\(instance)", "capacity=\(capacity)", "heartbeat-ms=\(heartbeatInterval.milliseconds)",
            "exclusive=\(isExclusive ? 1 : 0)",
        ]
        if let process { lines.append("process=\(String(process, radix: 16))") }
        return Frame(text: lines.joined(separator: "\n"))
    }

    /// Nil when a key is missing or out of its range: instance 1...100 bytes of printable UTF-8, capacity 1...10,000,
    /// heartbeat 50 ms...60 s.
    public init?(_ frame: Frame) {
        // By bytes: in a text, "\r\n" is one character that is no "\n".
        let pairs = frame.split(separator: UInt8(ascii: "\n")).compactMap { line in
            line.firstIndex(of: UInt8(ascii: "=")).map { (Frame(line[..<$0]).text, Frame(line[($0 + 1)...])) }
        }
        let values = Dictionary(pairs, uniquingKeysWith: { $1 })
        guard let instance = values["instance"], (1...100).contains(instance.count), instance.isPrintable,
            let capacity = values["capacity"].flatMap({ Int($0.text) }), (1...10_000).contains(capacity),
            let heartbeat = values["heartbeat-ms"].flatMap({ Int($0.text) }), (50...60_000).contains(heartbeat)
        else { return nil }
        self.init(
            instance: instance.text, capacity: capacity, heartbeatInterval: .milliseconds(heartbeat),
            isExclusive: values["exclusive"] == Frame(text: "1"),
            process: values["process"].flatMap { UInt64($0.text, radix: 16) })
    }
}

extension WorkerOptions {
    /// True when both state a process number, and the numbers differ.
    package func isOfAnotherProcess(than other: WorkerOptions) -> Bool {
        guard let process, let others = other.process else { return false }
        return process != others
    }
}

extension Duration {
    package var milliseconds: Int64 {
        components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
    }

    package var microseconds: Int64 {
        components.seconds * 1_000_000 + components.attoseconds / 1_000_000_000_000
    }
}
