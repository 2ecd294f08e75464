internal import FlatJSON

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// JSON as the bytes of a frame: keys are sorted and slashes not escaped, so that equal values are equal bytes;
/// terminal control characters are escaped (see `JSONControls`).
public enum JSONBytes {
    public static func encode(_ value: some Encodable) throws -> [UInt8] {
        // Checked here and not by an overload, which generic callers would not select.
        if let plain = value as? any PlainJSON { return plain.json() }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return JSONControls.escape(Array(try encoder.encode(value)))
    }

    public static func decode<Value: Decodable>(_ type: Value.Type, from bytes: [UInt8]) throws -> Value {
        if let plain = type as? any PlainJSON.Type, let value = plain.init(plainJSON: bytes) as? Value { return value }
        return try JSONDecoder().decode(type, from: Data(bytes))
    }
}

/// A type that is written and read without an encoder, because every message contains one or many of its values.
///
/// An encoder and a decoder cost 5 to 10 µs for each value, this code a few hundred nanoseconds.
public protocol PlainJSON: Codable {
    /// The bytes that an encoder with sorted keys and plain slashes would write.
    func json() -> [UInt8]

    /// Reads exactly such bytes; nil means that a decoder must read them, which also describes their faults.
    init?(plainJSON bytes: [UInt8])
}
