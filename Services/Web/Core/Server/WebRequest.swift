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
    /// Ends the connection.
    let cut: @Sendable () -> Void
    let meaning: RequestMeaning

    /// - Parameters:
    ///   - read: what the texts of the request mean.
    init(
        method: HTTPRequest.Method, target: String, host: String?, fields: HTTPFields, client: ClientAddress? = nil,
        cut: @escaping @Sendable () -> Void = {}, _ read: (RequestTexts) -> RequestMeaning
    ) {
        self.client = client
        self.cut = cut
        self.method = method
        self.target = target
        self.host = host
        self.fields = fields
        meaning = read(
            RequestTexts(
                isPost: method == .post, target: target, acceptLanguage: fields[.acceptLanguage],
                acceptEncoding: fields[.acceptEncoding]))
    }

    init(
        _ request: Request, client: ClientAddress?, cut: @escaping @Sendable () -> Void,
        _ read: (RequestTexts) -> RequestMeaning
    ) {
        self.init(
            method: request.method, target: request.head.path ?? "/", host: request.head.authority,
            fields: request.headers, client: client, cut: cut, read)
    }

    var language: Language { meaning.language }

    /// The address without its query.
    var path: String { String(target.prefix { $0 != "?" }) }
}
