import BoxOffice
import Envelope
import HTTPTypes
import Hummingbird
import Localization
import MessageBus

/// A request as far as the pages depend on it.
struct WebRequest: Sendable {
    let method: HTTPRequest.Method
    /// Path and query, as they were sent.
    let target: String
    let host: String?
    let fields: HTTPFields
    /// Of its queries.
    let trace = Trace.root(.web)
    /// Nil for a client that has no limit of its own.
    let client: ClientAddress?

    init(_ request: Request, client: ClientAddress?) {
        self.init(
            method: request.method, target: request.head.path ?? "/", host: request.head.authority,
            fields: request.headers, client: client)
    }

    init(
        method: HTTPRequest.Method, target: String, host: String?, fields: HTTPFields, client: ClientAddress? = nil
    ) {
        self.client = client
        self.method = method
        self.target = target
        self.host = host
        self.fields = fields
    }

    /// A field whose name the library does not know.
    func field(_ name: String) -> String? { HTTPField.Name(name).flatMap { fields[$0] } }

    /// The address without its query.
    var path: String { String(target.prefix { $0 != "?" }) }

    /// The language that the address names, if it is one of ours.
    var chosenLanguage: Language? {
        let query = target.split(separator: "?", maxSplits: 1).dropFirst().first.map(String.init)
        return QueryParameters(query)["lang"].flatMap(Language.init(rawValue:))
    }

    /// The language of the address, else the reader's: of those that the browser names, the best of ours; Korean for
    /// none.
    var language: Language { chosenLanguage ?? Self.preferred(fields[.acceptLanguage]) ?? .ko }

    var acceptsGzip: Bool {
        let codings = (fields[.acceptEncoding] ?? "").split(separator: ",")
        return codings.contains { coding in
            let parts = coding.split(separator: ";").map { $0.filter { !$0.isWhitespace }.lowercased() }
            return parts.first == "gzip" && !parts.dropFirst().contains { $0 == "q=0" || $0.hasPrefix("q=0.0") }
        }
    }

    /// Of RFC 9110, 12.5.4; a language with the weight 0 is refused, and others than ours mean English.
    static func preferred(_ field: String?) -> Language? {
        let ranges = (field ?? "").split(separator: ",").prefix(20).compactMap { range -> (Language?, Double)? in
            let parts = range.split(separator: ";").map { $0.filter { !$0.isWhitespace }.lowercased() }
            guard let tag = parts.first?.split(separator: "-").first,
                tag == "*" || tag.allSatisfy({ $0.isASCII && $0.isLetter })
            else { return nil }
            let weight = parts.dropFirst().first { $0.hasPrefix("q=") }.map { Double($0.dropFirst(2)) ?? 0 } ?? 1
            return weight > 0 && weight <= 1 ? (tag == "*" ? nil : Language(rawValue: String(tag)) ?? .en, weight) : nil
        }
        return ranges.max { $0.1 < $1.1 }?.0
    }
}
