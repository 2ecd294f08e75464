internal import BoxOffice

/// A key to an upstream's API, which never shows itself: not printed, not reflected, not in errors.
public struct APIKey: Sendable, Hashable {
    /// The key itself, for the one place that puts it into a request.
    let value: String

    /// Reads a key as it stands in an environment variable or a file, surrounding white space aside.
    ///
    /// - Throws: `UpstreamError` with code `configuration` when there is nothing, or something that no key contains (a
    ///   line break would end a header and begin another).
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

    /// By which two keys are told apart and none is found out: 32 bits of a hash say next to nothing of a key's hundreds.
    public var fingerprint: String { value.fingerprint }

    func stands(in bytes: [UInt8]) -> Bool {
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
