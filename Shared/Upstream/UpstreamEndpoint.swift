internal import Recordings

/// One question that an upstream can be asked: how it is put and how its answer is read.
protocol UpstreamEndpoint: Sendable {
    associatedtype Answer: Sendable

    /// Below the base URL, without a slash in front.
    var path: String { get }
    /// In the order of the wire, without a key; values as plain text.
    var query: [(name: String, value: String)] { get }

    /// As what a good answer is recorded; nil for one that nobody replays.
    var recordingName: RecordingName? { get }

    /// - Throws: `UpstreamError`, which may still hold what the upstream echoed.
    func answer(to response: UpstreamResponse) throws -> Answer
}

extension UpstreamEndpoint {
    var recordingName: RecordingName? { nil }
}
