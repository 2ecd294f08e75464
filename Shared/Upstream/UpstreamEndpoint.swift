internal import Recordings

/// One kind of request to an upstream, and the decoding of its answer.
protocol UpstreamEndpoint: Sendable {
    associatedtype Answer: Sendable

    /// Below the base URL, without a leading slash.
    var path: String { get }
    /// In the order of the request, without the key; values are not encoded.
    var query: [(name: String, value: String)] { get }

    /// The name under which a valid answer is recorded; nil for an answer that is not recorded.
    var recordingName: RecordingName? { get }

    /// - Throws: `UpstreamError`, which may still contain text of the upstream, including the key.
    func answer(to response: UpstreamResponse) throws -> Answer
}

extension UpstreamEndpoint {
    var recordingName: RecordingName? { nil }
}
