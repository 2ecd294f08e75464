import Envelope
import Foundation
import Testing

/// The messages that this version writes, for later versions to read. After a release, a changed message needs a new
/// schema version with a file of its own, and the files of earlier versions stay unchanged.
@Suite struct MessageVectorTests {
    /// Empty when a file cannot be read; a test below reports that.
    private static let all = ((try? MessageVector.files()) ?? []).flatMap { (try? MessageVector.load($0)) ?? [] }

    @Test func `every file can be read, and this version has one`() throws {
        let files = try MessageVector.files()
        for file in files {
            let vectors = try MessageVector.load(file)
            #expect(!vectors.isEmpty && Set(vectors.map(\.name)).count == vectors.count, "\(file)")
        }
        guard files.contains(MessageVector.currentFile) else {
            let draft = FileManager.default.temporaryDirectory.appending(path: MessageVector.currentFile)
            try Data(MessageVector.text(of: MessageSamples.all()).utf8).write(to: draft)
            Issue.record(
                "Put \(draft.path) into Tests/Support/Vectors: no file holds the messages of this version yet.")
            return
        }
    }

    @Test(arguments: all)
    func `the messages of every version are read`(vector: MessageVector) throws {
        let payload: [UInt8]
        switch vector.form {
        case .envelope:
            let envelope = try Envelope(frames: vector.wire[...])
            #expect(!envelope.header.kind.isEmpty && envelope.attachments.count == vector.wire.count - 2)
            payload = envelope.payload
        case .event, .frame:
            payload = try #require(vector.wire.first)
        }
        guard let type = vector.payload else {
            #expect(payload.isEmpty)
            return
        }
        let reread = try #require(
            MessageVector.readers[type], "\(type) is no contract of this version")
        _ = try reread(payload)
    }

    @Test func `this version writes what its file says, byte for byte`() throws {
        let kept = try MessageVector.load(MessageVector.currentFile)
        let written = try MessageSamples.all()
        #expect(kept.map(\.name) == written.map(\.name))
        for (kept, written) in zip(kept, written) {
            // Bytes: as texts, both spellings of a Hangul syllable are equal.
            #expect(
                kept == written && kept.wire == written.wire,
                "A message has changed: raise SchemaVersion.current, and keep the old file.")
        }
    }

    @Test func `what this version has read it writes again, byte for byte`() throws {
        for vector in try MessageVector.load(MessageVector.currentFile) {
            if vector.form == .envelope { #expect(try Envelope(frames: vector.wire[...]).frames() == vector.wire) }
            guard let reread = vector.payload.flatMap({ MessageVector.readers[$0] }) else { continue }
            let payload = try #require(vector.form == .envelope ? vector.wire[1] : vector.wire.first)
            #expect(try reread(payload) == payload, "\(vector)")
        }
    }

    @Test func `every contract has a message in the file of this version`() throws {
        let used = Set(try MessageVector.load(MessageVector.currentFile).compactMap(\.payload))
        #expect(used == Set(MessageVector.readers.keys))
    }

    @Test func `no kind of request is forgotten`() throws {
        let root = MessageVector.folder.deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let folders = ["Shared/BoxOffice/Contracts", "Shared/Service/ServiceKit"].map { root.appending(path: $0) }
        let source = try folders.flatMap { folder in
            try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".swift") }
                .map { try String(contentsOf: folder.appending(path: $0), encoding: .utf8) }
        }.joined()
        let declared = source.matches(of: /static let [a-z]*[kK]ind = "([a-z.]+)"/).map { String($0.1) }
        let envelopes = try MessageVector.load(MessageVector.currentFile).filter { $0.form == .envelope }
        let kept = Set(try envelopes.map { try Envelope(frames: $0.wire[...]).header.kind })
        #expect(declared.count >= 20 && kept == Set(declared))
    }
}
