/// Where the data of a value came from: the real upstream, a recording of it, or a demo that invents it.
///
/// Ordered by how genuine it is, the least genuine first. A source of a later release is kept as it is, and counts as
/// the least genuine.
public struct DataSource: RawRepresentable, Codable, Sendable, Hashable, Comparable {
    public let rawValue: String

    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    public static let upstream = DataSource(rawValue: "upstream")
    /// The bytes of a real answer, recorded earlier.
    public static let recorded = DataSource(rawValue: "recorded")
    /// Invented.
    public static let demo = DataSource(rawValue: "demo")

    public static func < (one: DataSource, other: DataSource) -> Bool { one.genuineness < other.genuineness }

    private var genuineness: Int {
        switch self {
        case .upstream: 2
        case .recorded: 1
        default: 0
        }
    }
}
