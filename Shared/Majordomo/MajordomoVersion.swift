/// The version of the Majordomo protocol that a peer speaks: RFC 7 (0.1) or RFC 18 (0.2).
public enum MajordomoVersion: UInt8, Sendable, Hashable, CaseIterable {
    case v01 = 1
    case v02 = 2

    var clientHeader: Frame { Frame(text: "MDPC0\(rawValue)") }
    var workerHeader: Frame { Frame(text: "MDPW0\(rawValue)") }

    /// What stands before the header: RFC 7 emulates REQ and REP with an empty frame, RFC 18 has nothing.
    var envelope: [Frame] { self == .v01 ? [[]] : [] }
}
