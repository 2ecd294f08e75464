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
    let connection: RequestConnection
    let meaning: RequestMeaning

    /// - Parameters:
    ///   - read: what the texts of the request mean.
    init(
        method: HTTPRequest.Method, target: String, host: String?, fields: HTTPFields,
        connection: RequestConnection = RequestConnection(nil), _ read: (RequestTexts) -> RequestMeaning
    ) {
        self.connection = connection
        self.method = method
        let asked = RequestTarget(target, host: host)
        self.asked = asked
        self.fields = fields
        meaning = read(
            RequestTexts(
                isPost: method == .post, target: asked.path, host: asked.host,
                acceptLanguage: fields.value(of: .acceptLanguage), acceptEncoding: fields.value(of: .acceptEncoding)))
    }

    init(_ request: Request, connection: RequestConnection, _ read: (RequestTexts) -> RequestMeaning) {
        self.init(
            method: request.method, target: request.head.path ?? "/", host: request.head.authority,
            fields: request.headers, connection: connection, read)
    }

    var language: Language { meaning.language }

    /// Nil for a client that has no limit of its own: one of this machine.
    var client: ClientAddress? {
        let client = connection.client(forwarded: fields.value(of: .forwardedFor))
        // Behind a proxy that is not in the settings everybody has an address of this machine.
        let isForwarded = [.forwarded, .forwardedFor, .via].contains(where: fields.contains)
        return client.flatMap { $0.isLoopback && !isForwarded ? nil : $0 }
    }

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
    /// Taken at once: a channel that has closed has none, and would have no limit.
    private let peer: SocketAddress?
    private let proxies: Set<ClientAddress>

    /// - Parameters:
    ///   - channel: nil for a request without a connection, as in a test.
    ///   - proxies: whose word about the client counts.
    init(_ channel: (any Channel)?, proxies: Set<ClientAddress> = []) {
        self.channel = channel
        peer = channel?.remoteAddress
        self.proxies = proxies
    }

    /// - Parameter forwarded: the field X-Forwarded-For.
    func client(forwarded: String?) -> ClientAddress? {
        ClientAddress(peer: peer, forwarded: forwarded, proxies: proxies)
    }

    func close() { channel?.close(promise: nil) }

    /// - Parameter body: is called once, at once when the connection is closed already.
    func onClose(_ body: @escaping @Sendable () -> Void) {
        channel?.closeFuture.whenComplete { _ in body() }
    }
}

extension HTTPFields {
    /// The value of a field that is rarely sent twice: for the library's subscript a single one is joined, too.
    func value(of name: HTTPField.Name) -> String? {
        guard let first = firstIndex(where: { $0.name == name }) else { return nil }
        return self[(first + 1)...].contains { $0.name == name } ? self[name] : self[first].value
    }
}
