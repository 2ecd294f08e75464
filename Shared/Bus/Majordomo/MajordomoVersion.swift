internal import MessageBus

/// The version of the Majordomo protocol that a peer uses: RFC 7 (0.1) or RFC 18 (0.2).
public enum MajordomoVersion: UInt8, Sendable, Hashable, CaseIterable {
    case v01 = 1
    case v02 = 2

    var clientHeader: Frame {
        switch self {
        case .v01: Self.clientHeader01
        case .v02: Self.clientHeader02
        }
    }

    var workerHeader: Frame {
        switch self {
        case .v01: Self.workerHeader01
        case .v02: Self.workerHeader02
        }
    }

    /// The number of empty frames before the header: RFC 7 emulates REQ and REP with one, RFC 18 has none.
    var envelopeCount: Int { self == .v01 ? 1 : 0 }

    private static let clientHeader01 = Frame(text: "MDPC01")
    private static let clientHeader02 = Frame(text: "MDPC02")
    private static let workerHeader01 = Frame(text: "MDPW01")
    private static let workerHeader02 = Frame(text: "MDPW02")
}

/// The command frames, allocated once.
enum CommandFrame {
    private static let all: [Frame] = (0...6).map { [$0] }

    static subscript(_ command: UInt8) -> Frame { all[Int(command)] }
}
