public import Envelope
import GRDB

/// The sources whose charts may stand beside each other in one answer: a demo upstream answers some days with recorded
/// bodies. Real charts stand alone.
public enum DataWorld: Sendable, Hashable {
    case real
    case demo

    public init(of source: DataSource) {
        self = source == .upstream ? .real : .demo
    }

    /// The rarer one first; twice the same where there is one.
    var sources: (DataSource, DataSource) {
        switch self {
        case .real: (.upstream, .upstream)
        case .demo: (.recorded, .demo)
        }
    }

    /// For `source IN (?, ?)`.
    var arguments: StatementArguments { [sources.0.rawValue, sources.1.rawValue] }
}
