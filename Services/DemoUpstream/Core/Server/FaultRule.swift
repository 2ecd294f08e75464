/// Which calls fail, and how: "error503", "throttled:every=3", "slow:path=searchMovieInfo,ms=3000", "html:date=…".
public struct FaultRule: Sendable, Equatable {
    public var fault: Fault
    /// Only paths that contain this text, posters included; nil for all calls of the two APIs.
    public var path: String?
    /// Only calls about this date ("20220105"), as `targetDt` has it.
    public var date: String?
    /// Only every nth of the matching calls; the first one that fails is the nth.
    public var every: Int
    /// The extra delay of a slow call, in milliseconds.
    public var milliseconds: Int

    public init(_ fault: Fault, path: String? = nil, date: String? = nil, every: Int = 1, milliseconds: Int = 10_000) {
        self.fault = fault
        self.path = path
        self.date = date
        self.every = every
        self.milliseconds = milliseconds
    }

    /// Parses a rule of the command line; nil for anything else.
    public init?(_ text: String) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        var conditions: [String: String] = [:]
        for pair in parts.dropFirst().first?.split(separator: ",") ?? [] {
            let words = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard words.count == 2, conditions.updateValue(words[1], forKey: words[0]) == nil else { return nil }
        }
        self.init(name: String(parts[0]), conditions)
    }

    /// - Parameter conditions: texts by the names `path`, `date`, `every` and `ms`; another name is refused.
    init?(name: String, _ conditions: [String: String]) {
        guard let fault = Fault(rawValue: name),
            conditions.keys.allSatisfy(["path", "date", "every", "ms"].contains),
            let every = Int(conditions["every"] ?? "1"), every >= 1,
            let milliseconds = Int(conditions["ms"] ?? "10000"), (0...600_000).contains(milliseconds),
            conditions["path"] != "", conditions["date"].map({ $0.count == 8 && $0.allSatisfy(\.isNumber) }) ?? true
        else { return nil }
        self.init(
            fault, path: conditions["path"], date: conditions["date"], every: every, milliseconds: milliseconds)
    }

    /// The names of faults, for help.
    public static var names: String { Fault.allCases.map(\.rawValue).joined(separator: ", ") }

    /// What a rule may say after the name of its fault.
    public static let conditions = "path=TEXT, date=YYYYMMDD, every=N, ms=N"

    /// The syntax of a rule.
    public static var syntax: String {
        "NAME[:CONDITION,…], where NAME is one of \(names), and CONDITION is one of \(conditions)"
    }

    func fits(path: String, date: String?, of api: UpstreamAPI) -> Bool {
        guard self.date == nil || self.date == date else { return false }
        return self.path.map(path.contains) ?? (api != .pictures)
    }
}
