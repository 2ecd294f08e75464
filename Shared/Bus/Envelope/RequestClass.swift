/// For whom a request is made: the higher classes keep a reserve of each day's upstream calls.
///
/// A value of a later release is kept as it is, and counts as the lowest class.
public struct RequestClass: RawRepresentable, Codable, Sendable, Hashable {
    public let rawValue: String

    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// A person waits for the answer of a command.
    public static let interactive = RequestClass(rawValue: "interactive")
    /// A visitor of a page waits.
    public static let web = RequestClass(rawValue: "web")
    /// Nobody waits.
    public static let background = RequestClass(rawValue: "background")

    /// From 0, the lowest.
    public var rank: Int {
        switch self {
        case .interactive: 2
        case .web: 1
        default: 0
        }
    }
}

extension RequestClass: Comparable {
    public static func < (lhs: RequestClass, rhs: RequestClass) -> Bool { lhs.rank < rhs.rank }
}
