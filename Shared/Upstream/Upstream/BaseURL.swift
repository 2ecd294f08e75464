internal import ProcessKit

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The checked base URL of an upstream: http(s), with a host, without a query, ending in a slash.
package struct BaseURL: Sendable, Equatable {
    let text: String

    package init(_ text: String, of upstream: String) throws {
        guard
            let components = URLComponents(string: text, encodingInvalidCharacters: false),
            let scheme = components.scheme?.lowercased(), ["http", "https"].contains(scheme),
            let host = components.host, !host.isEmpty
        else {
            throw UpstreamError(
                .configuration, "The base URL of \(upstream) is no http or https URL: \"\(AddressText(text))\".")
        }
        // The message does not repeat the text: those parts may contain a password or a key.
        guard components.user == nil, components.query == nil, components.fragment == nil else {
            throw UpstreamError(
                .configuration, "The base URL of \(upstream) may hold no user, no query and no fragment.")
        }
        self.text = text.hasSuffix("/") ? text : text + "/"
    }
}

extension String {
    /// The text without white space at both ends, including the Korean full-width space.
    package var trimmed: String {
        guard first?.isWhitespace == true || last?.isWhitespace == true else { return self }
        var rest = drop(while: \.isWhitespace)
        while rest.last?.isWhitespace == true {
            rest.removeLast()
        }
        return String(rest)
    }
}
