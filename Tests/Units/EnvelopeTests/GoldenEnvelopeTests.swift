import Envelope
import Localization
import Testing

@Suite struct GoldenEnvelopeTests {
    @Test func `the vectors exist, and each has a meaning or a refusal`() throws {
        let all = try GoldenEnvelope.load()
        #expect(all.count >= 39)
        #expect(all.allSatisfy { ($0.meaning == nil) != ($0.refused == nil) })
    }

    @Test(arguments: GoldenEnvelope.readable)
    func `frames decode to the meaning of the vector`(golden: GoldenEnvelope) throws {
        let meaning = try #require(golden.meaning)
        let envelope = try Envelope(frames: golden.wire[...])
        let header = envelope.header
        #expect(header.schema.description == meaning.schema)
        #expect(header.query.description == meaning.query)
        #expect(header.parent?.description == meaning.parent)
        #expect(header.kind == meaning.kind)
        #expect(header.sender == meaning.sender)
        #expect(header.traceparent.description == meaning.traceparent)
        #expect(header.status?.rawValue == meaning.status)
        #expect(header.failure.map(GoldenEnvelope.FailureMeaning.init) == meaning.failure)
        #expect(header.cache.map(GoldenEnvelope.CacheMeaning.init) == meaning.cache)
        #expect(header.timing.map(GoldenEnvelope.TimingMeaning.init) == meaning.timing)
        #expect(envelope.payload == Array(meaning.payload.utf8))
        #expect(envelope.attachments == meaning.attachments.map(bytes(hexadecimal:)))
    }

    @Test(arguments: GoldenEnvelope.readable)
    func `the header of a vector is its first frame`(golden: GoldenEnvelope) throws {
        #expect(String(decoding: try #require(golden.wire.first), as: UTF8.self) == golden.header)
    }

    @Test(arguments: GoldenEnvelope.readable.filter { $0.canonical == true })
    func `a decoded envelope encodes to the same bytes`(golden: GoldenEnvelope) throws {
        #expect(try Envelope(frames: golden.wire[...]).frames() == golden.wire)
    }

    @Test(arguments: GoldenEnvelope.readable)
    func `a decoded envelope is equal after encoding and decoding`(golden: GoldenEnvelope) throws {
        let envelope = try Envelope(frames: golden.wire[...])
        #expect(try Envelope(frames: envelope.frames()[...]) == envelope)
    }

    @Test(arguments: GoldenEnvelope.refusals)
    func `an unreadable envelope is refused with a message in both languages`(golden: GoldenEnvelope) throws {
        let refused = try #require(golden.refused)
        let failure = try #require(throws: Failure.self) { try Envelope(frames: golden.wire[...]) }
        #expect(failure.code.rawValue == refused.code)
        #expect(!failure.isRetryable)
        for text in [failure.message.ko, failure.message.en] {
            let versions = refused.code == "unsupported_version" ? [SchemaVersion.current.description] : []
            for word in refused.mentions + versions { #expect(text.contains(word), "\(text)") }
            #expect(!text.contains("CodingKeys") && !text.contains("debugDescription"), "\(text)")
        }
    }
}
