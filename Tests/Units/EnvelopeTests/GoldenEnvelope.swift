import Envelope
import Foundation
import Localization

/// One entry of `Tests/Support/Vectors/envelope.json`: a header, its frames on the wire, and their meaning or the reason for
/// refusal. Later releases must read all entries.
struct GoldenEnvelope: Decodable, Sendable, CustomStringConvertible {
    struct Meaning: Decodable, Sendable {
        let schema: String
        let query: String
        let parent: String?
        let kind: String
        let sender: String
        let traceparent: String
        let status: String?
        let failure: FailureMeaning?
        let cache: CacheMeaning?
        let timing: TimingMeaning?
        let payload: String
        let attachments: [String]
    }

    struct FailureMeaning: Decodable, Sendable, Equatable {
        let code: String
        let ko: String
        let en: String
        let retryable: Bool
        let httpStatus: Int?
    }

    struct CacheMeaning: Decodable, Sendable, Equatable {
        let hit: Bool
        let fwd: String?
        let collapsed: Bool?
        let stored: Bool?
        let ttl: Int?
        let age: Int?
        let detail: String?
    }

    struct TimingMeaning: Decodable, Sendable, Equatable {
        let workMicroseconds: Int
        let upstreamMicroseconds: Int?
        let upstreamCalls: Int?
    }

    struct Refusal: Decodable, Sendable {
        let code: String
        /// Words in the reason.
        let mentions: [String]
    }

    let name: String
    let header: String?
    private let frames: [String]
    /// Whether the meaning encodes to exactly these bytes.
    let canonical: Bool?
    let meaning: Meaning?
    let refused: Refusal?

    var description: String { name }
    var wire: [[UInt8]] { frames.map(bytes(hexadecimal:)) }

    static let readable = all.filter { $0.meaning != nil }
    static let refusals = all.filter { $0.refused != nil }

    /// Empty when the file cannot be read: `GoldenEnvelopeTests` reads it again and reports the reason.
    private static let all = (try? load()) ?? []

    static func load() throws -> [GoldenEnvelope] {
        let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let data = try Data(contentsOf: tests.appending(path: "../Support/Vectors/envelope.json"))
        return try JSONDecoder().decode([GoldenEnvelope].self, from: data)
    }
}

func bytes(hexadecimal text: String) -> [UInt8] {
    let digits = text.compactMap(\.hexDigitValue)
    precondition(digits.count == text.count && digits.count.isMultiple(of: 2), "no hexadecimal bytes: \(text)")
    return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] * 16 + digits[$0 + 1]) }
}

extension GoldenEnvelope.FailureMeaning {
    init(_ failure: Failure) {
        self.init(
            code: failure.code.rawValue, ko: failure.message.ko, en: failure.message.en,
            retryable: failure.isRetryable, httpStatus: failure.httpStatus)
    }
}

extension GoldenEnvelope.CacheMeaning {
    init(_ cache: CacheStatus) {
        self.init(
            hit: cache.hit, fwd: cache.fwd?.rawValue, collapsed: cache.collapsed, stored: cache.stored,
            ttl: cache.ttl, age: cache.age, detail: cache.detail)
    }
}

extension GoldenEnvelope.TimingMeaning {
    init(_ timing: RequestTiming) {
        self.init(
            workMicroseconds: timing.workMicroseconds, upstreamMicroseconds: timing.upstreamMicroseconds,
            upstreamCalls: timing.upstreamCalls)
    }
}
