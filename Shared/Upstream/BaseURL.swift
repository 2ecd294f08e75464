#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// Where an upstream lives, checked once: an http(s) URL with a host and without a query, ending in a slash.
struct BaseURL: Sendable, Equatable {
    let text: String

    init(_ text: String, of upstream: String) throws {
        guard
            let components = URLComponents(string: text, encodingInvalidCharacters: false),
            let scheme = components.scheme?.lowercased(), ["http", "https"].contains(scheme),
            let host = components.host, !host.isEmpty
        else {
            throw UpstreamError(.configuration, "The base URL of \(upstream) is no http or https URL: \"\(text)\".")
        }
        // The text is not repeated here: a password or a key may stand in those parts.
        guard components.user == nil, components.query == nil, components.fragment == nil else {
            throw UpstreamError(
                .configuration, "The base URL of \(upstream) may hold no user, no query and no fragment.")
        }
        self.text = text.hasSuffix("/") ? text : text + "/"
    }
}
