import FlatJSON

@testable import Envelope

/// Reads pieces in an order that the input chooses, then the whole as one object.
func readJSON(_ input: inout FuzzInput) {
    let steps = input.frame()
    let bytes = input.bytes()
    var reader = JSONReader(bytes)
    for step in steps {
        switch step % 13 {
        case 0: _ = reader.take("{")
        case 1: _ = reader.take("}")
        case 2: _ = reader.take(",")
        case 3: _ = reader.take(":")
        case 4: _ = reader.key()
        case 5: if let text = reader.text() { claimText(text) }
        case 6: if let object = reader.object() { claimBrackets(object) }
        case 7: _ = reader.take(all: "{\"age\":")
        case 8: _ = reader.take(all: "")
        case 9: if let number = reader.number() { claimNumber(number) }
        case 10: _ = reader.flag()
        case 11: _ = reader.list(roomFor: 2) { $0.number() }
        default: _ = reader.isAtEnd
        }
    }
    claimWhole(bytes)
}

private func claimText(_ text: String) {
    let decoded = try? JSONBytes.decode(String.self, from: Array("\"\(text)\"".utf8))
    claim(decoded.map { Array($0.utf8) } == Array(text.utf8), "another text than \(decoded ?? "none")")
}

private func claimNumber(_ number: Int64) {
    var json = JSONWriter(capacity: 1)
    json.beginArray()
    json.element(number)
    json.endArray()
    claim((try? JSONBytes.decode([Int64].self, from: json.bytes)) == [number], "another number than \(number)")
}

private func claimBrackets(_ object: [UInt8]) {
    claim(object.first == UInt8(ascii: "{") && object.last == UInt8(ascii: "}"), "an object without its brackets")
}

/// In bytes that are one object, the object spans all bytes.
private func claimWhole(_ bytes: [UInt8]) {
    guard bytes.first == UInt8(ascii: "{"), (try? JSONBytes.decode(Anything.self, from: bytes)) != nil else { return }
    var reader = JSONReader(bytes)
    guard let object = reader.object() else { return }
    let blanks = bytes.dropFirst(object.count)
    claim(bytes.starts(with: object), "an object that is not in the bytes")
    claim(blanks.allSatisfy { [0x20, 0x09, 0x0a, 0x0d].contains($0) }, "an object that ends too early")
}

/// An object with any fields.
private struct Anything: Decodable {
    private struct Key: CodingKey {
        let stringValue: String
        let intValue: Int? = nil
        init?(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    init(from decoder: any Decoder) throws {
        _ = try decoder.container(keyedBy: Key.self)
    }
}
