/// What a worker of ours says about itself in READY (our extension of 0.2), and what the broker agrees to.
///
/// On the wire: lines `key=value` in UTF-8; unknown keys are ignored.
public struct WorkerOptions: Sendable, Equatable {
    /// The name of the process, as "chart-fetcher/1"; a second connection of the same name expels the first.
    public var instance: String
    /// How many requests it takes at a time.
    public var capacity: Int
    /// The silence after which either side sends a heartbeat.
    public var heartbeatInterval: Duration
    /// Refuses a second worker of the same service.
    public var isExclusive: Bool
    /// A number that tells the process that comes back under its name from another one of that name.
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

    /// Nil when a key is missing or out of its range: capacity 1...10,000, heartbeat 50 ms...60 s.
    public init?(_ frame: Frame) {
        let pairs = frame.text.split(separator: "\n").compactMap { line -> (String, String)? in
            let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return parts.count == 2 ? (String(parts[0]), String(parts[1])) : nil
        }
        let values = Dictionary(pairs, uniquingKeysWith: { $1 })
        guard let instance = values["instance"], !instance.isEmpty, instance.utf8.count <= 100,
            let capacity = values["capacity"].flatMap(Int.init), (1...10_000).contains(capacity),
            let heartbeat = values["heartbeat-ms"].flatMap(Int.init), (50...60_000).contains(heartbeat)
        else { return nil }
        self.init(
            instance: instance, capacity: capacity, heartbeatInterval: .milliseconds(heartbeat),
            isExclusive: values["exclusive"] == "1", process: values["process"].flatMap { UInt64($0, radix: 16) })
    }
}

extension WorkerOptions {
    /// True when both tell their process, and these are two.
    func isOfAnotherProcess(than other: WorkerOptions) -> Bool {
        guard let process, let others = other.process else { return false }
        return process != others
    }
}

extension Duration {
    var milliseconds: Int64 {
        components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
    }

    var microseconds: Int64 {
        components.seconds * 1_000_000 + components.attoseconds / 1_000_000_000_000
    }
}
