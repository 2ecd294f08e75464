/// What the servers of NATS permit a user: lists of subjects with wildcards.
package struct SubjectPermissions: Sendable, Equatable {
    package private(set) var publish: [String]
    /// Exceptions of `publish`.
    package private(set) var deniedPublish: [String] = []
    package private(set) var subscribe: [String]
    /// Whether the user may answer what it receives; the subjects for answers are not in `publish`.
    package private(set) var mayAnswer = false

    /// Those of a user that sends requests of these kinds, reads events, and asks what there is.
    ///
    /// A reader of the stream of events names the subject of its own deliveries. The servers deliver to exact
    /// subscriptions only, never to a stream or to a worker's wildcard, and keep the subject of the event.
    ///
    /// - Parameter user: its public key, which is in the subjects of its answers.
    package init(kinds: [String], user: String) {
        let inbox = "_INBOX.\(user).>"
        publish =
            kinds.flatMap { ["boxoffice.request.*.\($0)", "boxoffice.instance.*.*.*.\($0)"] }
            + ["$SRV.>", "$JS.API.STREAM.INFO.\(Subjects.eventStream)"]
            + [
                "$JS.API.CONSUMER.CREATE.\(Subjects.eventStream)",
                "$JS.API.CONSUMER.MSG.NEXT.\(Subjects.eventStream).*", inbox,
            ]
        subscribe = [inbox]
    }

    /// Also publishes events, except those of processes of these services.
    package mutating func allowEvents(exceptOf services: [String]) {
        publish.append(Subjects.events)
        deniedPublish += services.map { "boxoffice.event.\(Subjects.token($0)).*" }
    }

    /// Also serves the requests to a service, under the names of its instances.
    package mutating func allowService(_ service: String) {
        let token = Subjects.token(service)
        publish += ["boxoffice.event.\(token).*", "$KV.boxoffice-claims.instance.\(token).*"]
        publish += [Subjects.claim(ofService: service)] + Self.streams
        subscribe += [
            Subjects.allRequests(of: service), "boxoffice.instance.\(token).*.>", "$SRV.*", "$SRV.*.\(token)",
            "$SRV.*.\(token).*",
        ]
        mayAnswer = true
    }

    /// Also sends all requests and events, and serves all services.
    package mutating func allowEverything() {
        publish += ["boxoffice.>", Subjects.claims] + Self.streams
        subscribe += ["boxoffice.>", "$SRV.>"]
        mayAnswer = true
    }

    /// Finding and making the streams, and reading records.
    private static let streams =
        ["$JS.API.STREAM.CREATE.\(Subjects.eventStream)"]
        + ["CREATE", "INFO", "MSG.GET"].map { "$JS.API.STREAM.\($0).\(Subjects.claimStream)" }
}
