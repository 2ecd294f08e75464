import Domain
import Envelope
import HTTPKit
import HTTPTypes
import Hummingbird
import Localization
import MessageBus
import NIOCore

/// A request as far as the pages depend on it.
struct WebRequest: Sendable {
    let method: HTTPRequest.Method
    /// Path and query, as they were sent.
    var target: String { asked.path }
    let asked: RequestTarget
    let fields: HTTPFields
    /// Of its queries.
    let trace = Trace.root(.web)
    /// Nil for a client that has no limit of its own.
    let client: ClientAddress?
    let connection: RequestConnection
    let meaning: RequestMeaning

    /// - Parameters:
    ///   - read: what the texts of the request mean.
    init(
        method: HTTPRequest.Method, target: String, host: String?, fields: HTTPFields, client: ClientAddress? = nil,
        connection: RequestConnection = RequestConnection(nil), _ read: (RequestTexts) -> RequestMeaning
    ) {
        self.client = client
        self.connection = connection
        self.method = method
        let asked = RequestTarget(target, host: host)
        self.asked = asked
        self.fields = fields
        meaning = read(
            RequestTexts(
                isPost: method == .post, target: asked.path, host: asked.host, acceptLanguage: fields[.acceptLanguage],
                acceptEncoding: fields[.acceptEncoding]))
    }

    init(
        _ request: Request, client: ClientAddress?, connection: RequestConnection,
        _ read: (RequestTexts) -> RequestMeaning
    ) {
        self.init(
            method: request.method, target: request.head.path ?? "/", host: request.head.authority,
            fields: request.headers, client: client, connection: connection, read)
    }

    var language: Language { meaning.language }

    var visitor: Visitor { Visitor(client: client, isOfOtherSite: isOfOtherSite) }

    /// Whether a page of another site has caused the request, other than by a link that its reader follows.
    ///
    /// A browser says so by the Sec-Fetch fields; other ports of this host are "same-site", and other sites as well.
    var isOfOtherSite: Bool {
        guard let site = fields[.secFetchSite], !["same-origin", "none"].contains(site) else { return false }
        return fields[.secFetchMode] != "navigate" || fields[.secFetchDest] != "document"
    }

    /// The address without its query.
    var path: String { meaning.path }
}

/// The connection of a request.
struct RequestConnection: Sendable {
    private let channel: (any Channel)?

    /// - Parameter channel: nil for a request without a connection, as in a test.
    init(_ channel: (any Channel)?) {
        self.channel = channel
    }

    func close() { channel?.close(promise: nil) }

    /// - Parameter body: is called once, at once when the connection is closed already.
    func onClose(_ body: @escaping @Sendable () -> Void) {
        channel?.closeFuture.whenComplete { _ in body() }
    }
}
