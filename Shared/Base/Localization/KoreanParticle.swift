/// Korean particles whose form depends on the preceding sound.
public enum KoreanParticle: Sendable {
    /// 은 or 는.
    case topic
    /// 이 or 가.
    case subject
    /// 을 or 를.
    case object
    /// 으로 or 로.
    case direction

    /// The form after a text, by the sound of its last word; a text without a sound is followed by the form of a vowel.
    ///
    /// Quotation marks and brackets at the end have no sound.
    public func form(after text: String) -> String {
        let ending = FinalSound(of: text)
        switch self {
        case .topic: return ending == .vowel ? "는" : "은"
        case .subject: return ending == .vowel ? "가" : "이"
        case .object: return ending == .vowel ? "를" : "을"
        case .direction: return ending == .consonant ? "으로" : "로"
        }
    }
}

/// The sound at the end of a word as Koreans read it.
private enum FinalSound {
    case vowel
    /// ㄹ, after which 로 follows as after a vowel.
    case rieul
    case consonant

    init(of text: String) {
        let spoken = text.unicodeScalars.reversed().drop { "'\"()[]”’」".unicodeScalars.contains($0) }
        let letters = spoken.prefix { $0.properties.isAlphabetic && $0.isASCII }
        guard letters.isEmpty else {
            self.init(ofWord: String(String.UnicodeScalarView(letters.reversed())).lowercased())
            return
        }
        switch spoken.first?.value ?? 0 {
        // 28 finals for each vowel; the first means no final consonant, the ninth is ㄹ.
        case let value where 0xAC00...0xD7A3 ~= value:
            let final = (value - 0xAC00) % 28
            self = final == 0 ? .vowel : final == 8 ? .rieul : .consonant
        // A jamo at the end of a decomposed text (NFD).
        case 0x11AF: self = .rieul
        case 0x11A8...0x11C2: self = .consonant
        // 영, 삼, 육 end in a consonant; 일, 칠, 팔 in ㄹ.
        case 0x30, 0x33, 0x36: self = .consonant
        case 0x31, 0x37, 0x38: self = .rieul
        default: self = .vowel
        }
    }

    /// A word of Latin letters in lower case; a single letter is read by its name.
    ///
    /// The Hangul spelling of loanwords keeps these finals; after other letters it adds a vowel: 스택, 탭, but 차트, 로그.
    private init(ofWord word: String) {
        let last = word.last ?? " "
        guard word.count > 1 else {
            self = last == "l" || last == "r" ? .rieul : last == "m" || last == "n" ? .consonant : .vowel
            return
        }
        let before = word.dropLast().last ?? " "
        let isShort = Self.isVowel(before) && !Self.isVowel(word.dropLast(2).last ?? " ")
        switch last {
        case "l": self = .rieul
        case "m", "n": self = .consonant
        case "g": self = before == "n" ? .consonant : .vowel
        case "e": self = before == "l" ? .rieul : before == "m" || before == "n" ? .consonant : .vowel
        case "k": self = before == "c" || isShort ? .consonant : .vowel
        case "b", "p", "t": self = isShort ? .consonant : .vowel
        case "c": self = before == "i" ? .consonant : .vowel
        default: self = .vowel
        }
    }

    private static func isVowel(_ letter: Character) -> Bool { "aeiou".contains(letter) }
}

extension String {
    /// The text followed by a particle, for example "등대는" and "마을은".
    public func with(_ particle: KoreanParticle) -> String { self + particle.form(after: self) }
}
