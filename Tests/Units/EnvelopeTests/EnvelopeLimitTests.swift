import Envelope
import Localization
import Testing

@Suite struct EnvelopeLimitTests {
    private let header = Header(
        query: HexadecimalID(rawValue: 0xa1), kind: "cache.put", sender: "chart-fetcher/1",
        traceparent: TraceParent(query: 0xa1, call: 0xb2))

    private func zeros(_ count: Int) -> [UInt8] { Array(repeating: 0, count: count) }

    @Test func `a frame of 2 MiB is sent, one byte more is not`() throws {
        let most = Envelope(header: header, payload: zeros(2 << 20))
        #expect(try most.frames()[1].count == 2 << 20)
        for tooMuch in [
            Envelope(header: header, payload: zeros((2 << 20) + 1)),
            Envelope(header: header, attachments: [zeros((2 << 20) + 1)]),
        ] {
            #expect(try failureOfSending(tooMuch).code == .tooLarge)
        }
    }

    @Test func `a message of 3 MiB is sent, one byte more is not`() throws {
        let headerBytes = try Envelope(header: header).frames()[0].count
        let rest = (3 << 20) - (2 << 20) - headerBytes
        let most = Envelope(header: header, payload: zeros(2 << 20), attachments: [zeros(rest)])
        #expect(try most.frames().reduce(0) { $0 + $1.count } == 3 << 20)
        let tooMuch = Envelope(header: header, payload: zeros(2 << 20), attachments: [zeros(rest + 1)])
        #expect(try failureOfSending(tooMuch).code == .tooLarge)
    }

    @Test func `the limit of 64 frames includes the frames of the protocol`() throws {
        let most = Envelope(header: header, attachments: Array(repeating: [], count: 54))
        #expect(try most.frames().count == 56)
        let tooMany = Envelope(header: header, attachments: Array(repeating: [], count: 55))
        #expect(try failureOfSending(tooMany).code == .tooLarge)
    }

    @Test func `the failure states the limit and the size, and is not retryable`() throws {
        let headerBytes = try Envelope(header: header).frames()[0].count
        let total = headerBytes + 3 * (2 << 20)
        let cases = [
            (Envelope(header: header, payload: zeros(2_097_153)), ["payload", "본문"], 2_097_153, 2_097_152),
            (
                Envelope(header: header, attachments: [[], zeros(3_000_000)]), ["attachment 2", "첨부 2"], 3_000_000,
                2_097_152
            ),
            (Envelope(header: header, attachments: Array(repeating: [], count: 55)), ["frames", "프레임"], 57, 56),
            (
                Envelope(header: header, payload: zeros(2 << 20), attachments: [zeros(2 << 20), zeros(2 << 20)]),
                ["in all", "모두"], total, 3_145_728
            ),
        ]
        for (envelope, words, size, limit) in cases {
            let failure = try failureOfSending(envelope)
            #expect(failure.code == .tooLarge && !failure.isRetryable)
            for (text, word) in zip([failure.message.en, failure.message.ko], words) {
                #expect(text.contains(word) && text.contains("\(size)") && text.contains("\(limit)"), "\(text)")
            }
        }
    }

    @Test func `a header can be too large`() throws {
        var long = header
        long.kind = String(repeating: "a", count: 2 << 20)
        #expect(try failureOfSending(Envelope(header: long)).message.en.contains("header"))
    }

    private func failureOfSending(_ envelope: Envelope) throws -> Failure {
        try #require(throws: Failure.self) { try envelope.frames() }
    }
}
