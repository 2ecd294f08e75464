import Upstream

/// A transport without a network: it records the requests and answers from a script, whose last answer repeats.
actor RecordingTransport: UpstreamTransport {
    private(set) var requests: [UpstreamRequest] = []
    private(set) var deadlines: [ContinuousClock.Instant] = []
    private var script: [Result<UpstreamResponse, any Error>]

    init(_ script: [Result<UpstreamResponse, any Error>]) {
        self.script = script
    }

    init(_ body: String, status: Int = 200, contentType: String? = nil) {
        self.init([.success(UpstreamResponse(status: status, contentType: contentType, body: Array(body.utf8)))])
    }

    init(fixture: String, status: Int = 200) throws {
        self.init([.success(UpstreamResponse(status: status, body: try Fixture.bytes(fixture)))])
    }

    func send(_ request: UpstreamRequest, deadline: ContinuousClock.Instant) async throws -> UpstreamResponse {
        requests.append(request)
        deadlines.append(deadline)
        return try (script.count > 1 ? script.removeFirst() : script[0]).get()
    }
}
