/// A name with `*` for any text, such as "chart.*" or "*.answered"; it must match the whole name.
public struct NamePattern: Sendable, Equatable {
    private let parts: [Substring]

    /// Nil for an empty text, which matches no name.
    public init?(_ text: String) {
        guard !text.isEmpty else { return nil }
        parts = text.split(separator: "*", omittingEmptySubsequences: false)
    }

    public func matches(_ name: String) -> Bool {
        guard let first = parts.first, let last = parts.last, parts.count > 1 else { return parts.first == name[...] }
        guard name.hasPrefix(first), name.dropFirst(first.count).hasSuffix(last) else { return false }
        var rest = name.dropFirst(first.count).dropLast(last.count)
        // The earliest match of each part leaves the most text for the parts after it.
        for part in parts.dropFirst().dropLast() where !part.isEmpty {
            guard let found = rest.firstRange(of: part) else { return false }
            rest = rest[found.upperBound...]
        }
        return true
    }
}
