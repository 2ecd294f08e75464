import Localization

@testable import Envelope

/// The fast header reader returns nil or the decoder's result; the same holds for the writer.
func readEnvelope(_ bytes: [UInt8]) {
    let decoded = try? JSONBytes.decode(Header.self, from: bytes)
    if let quick = Header(plainJSON: bytes) {
        guard let decoded else { fatalError("no decoder takes what was read as \(quick)") }
        claim(json(quick) == json(decoded), "read as \(quick), which the decoder takes for \(decoded)")
    }
    do {
        let header = try Envelope(frames: [bytes, []]).header
        guard let decoded else { fatalError("no decoder takes what was read as \(header)") }
        claim(json(header) == json(decoded), "read as \(header), which the decoder takes for \(decoded)")
        reread(header)
    } catch let failure as Failure {
        claim(decoded?.schema.major != SchemaVersion.current.major, "refused with \(failure.message.en)")
        claim([.malformed, .unsupportedVersion].contains(failure.code), "refused with \(failure.code)")
    } catch {
        fatalError("no failure in plain words: \(error)")
    }
}

private func reread(_ header: Header) {
    do {
        let frames = try Envelope(header: header, payload: [1], attachments: [[2], []]).frames()
        claim(frames[0] == json(header), "\(header) is not written as the encoder writes it")
        let again = try Envelope(frames: frames[...])
        claim(json(again.header) == json(header), "\(header) is read again as \(again.header)")
        claim(again.payload == [1] && again.attachments == [[2], []], "the frames after the header have changed")
    } catch {
        fatalError("\(header) cannot be written and read again: \(error)")
    }
}

func readEvent(_ bytes: [UInt8]) {
    if let stamp = EventStamp(bytes) { claim(stamp.encoded == bytes, "\(stamp) is written as \(stamp.encoded)") }
    guard let event = try? JSONBytes.decode(Event.self, from: bytes) else { return }
    claim(event.json() == json(event), "\(event) is not written as the encoder writes it")
    guard let again = try? JSONBytes.decode(Event.self, from: event.json()) else {
        fatalError("\(event) cannot be read again")
    }
    claim(again.json() == event.json(), "\(event) is read again as \(again)")
}

/// Compares bytes, since canonically equivalent texts are equal.
private func json(_ value: some Encodable) -> [UInt8] {
    do {
        return try JSONBytes.encode(value)
    } catch {
        fatalError("\(value) cannot be encoded: \(error)")
    }
}
