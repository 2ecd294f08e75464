import Domain
import HTTPKit
import Localization
import Synchronization

/// The texts of a request that decide which page it gets.
struct RequestTexts: Hashable, Sendable {
    var isPost = false
    /// Path and query, as they were sent.
    let target: String
    var host: String?
    var acceptLanguage: String?
    var acceptEncoding: String?
}

/// What the texts of a request mean.
struct RequestMeaning: Sendable {
    let route: Result<Route, RouteError>
    /// The language that the address names, if it is one of ours.
    let chosenLanguage: Language?
    /// The language of the address, else the best one of Accept-Language, else the site's.
    let language: Language
    let acceptsGzip: Bool
    /// The address without its query.
    let path: String
    /// Whether it is the address of an action.
    let isAction: Bool
    /// In lower case, without a port; nil for a text that is no host.
    let hostName: String?

    /// - Parameters:
    ///   - usual: the language for a browser that names none.
    ///   - now: Unix time in seconds.
    init(_ texts: RequestTexts, usual: Language, now: Double) {
        do {
            route = .success(try Route(texts.isPost ? .post : .get, texts.target, now: now))
        } catch {
            route = .failure(error)
        }
        let query = texts.target.split(separator: "?", maxSplits: 1).dropFirst().first.map(String.init)
        chosenLanguage = QueryParameters(query)["lang"].flatMap(Language.init(rawValue:))
        language = chosenLanguage ?? Self.preferredLanguage(texts.acceptLanguage) ?? usual
        acceptsGzip = Self.containsGzip(texts.acceptEncoding)
        path = String(texts.target.prefix { $0 != "?" })
        isAction = Route.isAction(path)
        hostName = RequestTarget(texts.target, host: texts.host).hostName
    }

    private static func containsGzip(_ field: String?) -> Bool {
        (field ?? "").split(separator: ",").contains { coding in
            let parts = coding.split(separator: ";").map { $0.filter { !$0.isWhitespace }.lowercased() }
            return parts.first == "gzip" && !parts.dropFirst().contains { $0 == "q=0" || $0.hasPrefix("q=0.0") }
        }
    }

    /// Of RFC 9110, 12.5.4; a language with the weight 0 is refused, and others than ours mean English.
    private static func preferredLanguage(_ field: String?) -> Language? {
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

/// Remembers what recent texts meant: most requests repeat those of others, and reading them costs more than a page
/// that is kept.
final class RequestMeanings: Sendable {
    private struct State {
        var meanings: [RequestTexts: RequestMeaning] = [:]
        /// Which addresses have a page depends on the day in Seoul.
        var day = Day(daysSinceEpoch: 0)
    }

    private static let capacity = 1000
    /// Longer texts are rare, and would let any client fill the memory.
    private static let maxBytes = 500

    private let usual: Language
    private let state = Mutex(State())

    /// - Parameter usual: the language for a browser that names none.
    init(usual: Language) { self.usual = usual }

    func meaning(of texts: RequestTexts, now: Double) -> RequestMeaning {
        let today = Day.inSeoul(secondsSinceEpoch: now)
        if let known = state.withLock({ $0.day == today ? $0.meanings[texts] : nil }) { return known }
        let meaning = RequestMeaning(texts, usual: usual, now: now)
        let fields = [texts.target, texts.host, texts.acceptLanguage, texts.acceptEncoding]
        let bytes = fields.reduce(0) { $0 + ($1?.utf8.count ?? 0) }
        if bytes <= Self.maxBytes {
            state.withLock { state in
                if state.day != today || state.meanings.count >= Self.capacity { state = State(day: today) }
                state.meanings[texts] = meaning
            }
        }
        return meaning
    }
}
