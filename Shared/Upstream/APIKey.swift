internal import BoxOffice

/// An API key of an upstream. It is never visible: not in descriptions, reflection or errors.
public struct APIKey: Sendable, Hashable {
    /// The key itself, only for the code that puts it into a request.
    let value: String

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

    /// Whether the bytes contain the key: as it is, backwards or as hexadecimal digits, in letters of any case.
    func occurs(in bytes: [UInt8]) -> Bool {
        let plain = Array(value.lowercased().utf8)
        guard plain.count >= Self.shortestSought else { return false }
        let digits = value.utf8.flatMap { Array((($0 < 16 ? "0" : "") + String($0, radix: 16)).utf8) }
        let text = bytes.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
        return [plain, plain.reversed(), digits].contains { Self.contains($0, in: text) }
    }

    /// Answers have up to 165 KB, for which the generic search takes milliseconds.
    private static func contains(_ pattern: [UInt8], in text: [UInt8]) -> Bool {
        guard let first = pattern.first, text.count >= pattern.count else { return false }
        return text.withUnsafeBufferPointer { text in
            (0...(text.count - pattern.count)).contains { start in
                text[start] == first && text[start..<(start + pattern.count)].elementsEqual(pattern)
            }
        }
    }

    /// The text with the key, plain or percent-encoded, replaced by three asterisks.
    func masked(in text: String) -> String {
        text.replacing(value, with: "***").replacing(value.percentEncoded, with: "***")
    }
}

extension APIKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "***" }

    public var debugDescription: String { "***" }

    public var customMirror: Mirror { Mirror(self, children: []) }
}
