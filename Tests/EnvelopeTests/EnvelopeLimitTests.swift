import Envelope
import Testing

@Suite struct EnvelopeLimitTests {
    private let header = Header(
        query: "00000000000000a1", kind: "cache.put", sender: "chart-fetcher/1",
        traceparent: "00-00000000000000a100000000000000a1-00000000000000b2-01")

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

    @Test func `the 64 frames leave room for the protocol's own`() throws {
        let most = Envelope(header: header, attachments: Array(repeating: [], count: 54))
        #expect(try most.frames().count == 56)
        let tooMany = Envelope(header: header, attachments: Array(repeating: [], count: 55))
        #expect(try failureOfSending(tooMany).code == .tooLarge)
    }

    @Test func `too large says how large, and that trying again is no use`() throws {
        let failure = try failureOfSending(Envelope(header: header, payload: zeros(4_000_000)))
        #expect(!failure.isRetryable)
        let headerBytes = try JSONBytes.encode(header).count
        for text in [failure.message.ko, failure.message.en] {
            #expect(text.contains("\(4_000_000 + headerBytes)") && text.contains("2"), "\(text)")
        }
    }

    private func failureOfSending(_ envelope: Envelope) throws -> Failure {
        try #require(throws: Failure.self) { try envelope.frames() }
    }
}
