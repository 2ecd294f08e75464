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

    func occurs(in bytes: [UInt8]) -> Bool {
        bytes.firstRange(of: Array(value.utf8)) != nil
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
