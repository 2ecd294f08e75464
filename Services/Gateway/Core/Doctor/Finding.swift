import Envelope
import Localization

/// One thing that `gateway doctor` looked at, and what to do if it is not well.
struct Finding: Sendable, Equatable {
    /// A word, as "broker".
    let check: String
    let what: LocalizedText
    /// nil when there is nothing to do.
    var fix: LocalizedText?
    /// What the program ends with when this is the first failure; 0 for a warning.
    var exitStatus: Int32 = 0

    var isWell: Bool { exitStatus == 0 }
    /// A risk that keeps nothing from working.
    var isWarning: Bool { isWell && fix != nil }
}

extension Finding: Encodable {
    private enum CodingKeys: CodingKey {
        case check, ok, warning, what, fix
    }

    /// Every key is there; the fix of what is well is null.
    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(check, forKey: .check)
        try container.encode(isWell, forKey: .ok)
        try container.encode(isWarning, forKey: .warning)
        try container.encode(what, forKey: .what)
        try container.encode(fix, forKey: .fix)
    }
}
