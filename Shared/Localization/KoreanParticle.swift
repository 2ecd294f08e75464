/// Korean particles whose form depends on the preceding sound.
public enum KoreanParticle: Sendable {
    /// 은 or 는.
    case topic
    /// 이 or 가.
    case subject
    /// 을 or 를.
    case object

    /// The form after a text; both forms, as "을(를)", when the sound of the last character is unknown.
    ///
    /// Quotation marks and brackets at the end have no sound.
    public func form(after text: String) -> String {
        let spoken = text.unicodeScalars.last { !"'\"()[]”’」".unicodeScalars.contains($0) }
        guard let hasFinalConsonant = spoken.flatMap(Self.hasFinalConsonant) else { return both }
        return hasFinalConsonant ? afterConsonant : afterVowel
    }

    private var afterConsonant: String {
        switch self {
        case .topic: "은"
        case .subject: "이"
        case .object: "을"
        }
    }

    private var afterVowel: String {
        switch self {
        case .topic: "는"
        case .subject: "가"
        case .object: "를"
        }
    }

    private var both: String { "\(afterConsonant)(\(afterVowel))" }

    /// Nil for characters with several pronunciations, such as letters of other scripts.
    private static func hasFinalConsonant(_ scalar: Unicode.Scalar) -> Bool? {
        switch scalar.value {
        // 28 finals for each vowel; the first means no final consonant.
        case 0xAC00...0xD7A3: (scalar.value - 0xAC00) % 28 != 0
        // A jamo at the end of a decomposed text (NFD): a final consonant, or a vowel.
        case 0x11A8...0x11C2: true
        case 0x1161...0x1175: false
        // 영, 일, 삼, 육, 칠, 팔 end in a consonant.
        case 0x30...0x39: [0, 1, 3, 6, 7, 8].contains(scalar.value - 0x30)
        default: nil
        }
    }
}

extension String {
    /// The text followed by a particle, for example "등대는" and "마을은".
    public func with(_ particle: KoreanParticle) -> String { self + particle.form(after: self) }
}
