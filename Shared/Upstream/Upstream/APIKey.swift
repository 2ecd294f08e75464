internal import Domain

/// An API key of an upstream. It is never visible: not in descriptions, reflection or errors.
public struct APIKey: Sendable, Hashable {
    /// The key itself, only for the code that puts it into a request.
    package let value: String

    /// Reads a key from the text of an environment variable or a file, without surrounding white space.
    ///
    /// - Throws: `UpstreamError` with code `configuration` when the text is empty or has a character that no key
    ///   contains (a line break would end a header and begin another).
    public init(_ text: String) throws {
        value = text.trimmed
        guard !value.isEmpty else {
            throw UpstreamError(.configuration, "The API key is empty.")
        }
        guard value.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw UpstreamError(
                .configuration, "The API key contains a space, a line break or a character that is not ASCII.")
        }
    }

    /// Distinguishes keys without revealing them: 32 bits of a hash contain almost nothing of the key.
    public var fingerprint: String { value.fingerprint }

    /// A shorter one, as in a test, would occur in many texts.
    private static let shortestSought = 8

    /// The key as it may come back, in lower case: as it is, backwards and as hexadecimal digits; empty for a short one.
    private var forms: [[UInt8]] {
        let plain = Array(value.lowercased().utf8)
        guard plain.count >= Self.shortestSought else { return [] }
        let digits = value.utf8.flatMap { Array((($0 < 16 ? "0" : "") + String($0, radix: 16)).utf8) }
        return [plain, plain.reversed(), digits]
    }

    /// Whether the bytes contain the key in one of its forms, in letters of any case.
    package func occurs(in bytes: [UInt8]) -> Bool {
        let text = Self.lowercased(bytes)
        return forms.contains { Self.position(of: $0, in: text) != nil }
    }

    private static func lowercased(_ bytes: [UInt8]) -> [UInt8] {
        bytes.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
    }

    /// Answers have up to 165 KB, for which the generic search takes milliseconds.
    private static func position(of pattern: [UInt8], in text: [UInt8]) -> Int? {
        guard let first = pattern.first, text.count >= pattern.count else { return nil }
        return text.withUnsafeBufferPointer { text in
            (0...(text.count - pattern.count)).first { start in
                text[start] == first && text[start..<(start + pattern.count)].elementsEqual(pattern)
            }
        }
    }

    /// The text with the key, in any of its forms or percent-encoded, replaced by three asterisks.
    package func masked(in text: String) -> String {
        var bytes = Array(text.replacing(value, with: "***").replacing(value.percentEncoded, with: "***").utf8)
        for form in forms {
            while let start = Self.position(of: form, in: Self.lowercased(bytes)) {
                bytes.replaceSubrange(start..<(start + form.count), with: Array("***".utf8))
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension APIKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "***" }

    public var debugDescription: String { "***" }

    public var customMirror: Mirror { Mirror(self, children: []) }
}
