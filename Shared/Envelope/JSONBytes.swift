#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// JSON as the bytes of a frame: keys sorted, slashes as they are, so that equal values are equal bytes.
public enum JSONBytes {
    public static func encode(_ value: some Encodable) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return Array(try encoder.encode(value))
    }

    public static func decode<Value: Decodable>(_ type: Value.Type, from bytes: [UInt8]) throws -> Value {
        try JSONDecoder().decode(type, from: Data(bytes))
    }

    public static func encode(_ value: some PlainJSON) throws -> [UInt8] { value.json() }

    public static func decode<Value: PlainJSON>(_ type: Value.Type, from bytes: [UInt8]) throws -> Value {
        try Value(plainJSON: bytes) ?? JSONDecoder().decode(type, from: Data(bytes))
    }
}
