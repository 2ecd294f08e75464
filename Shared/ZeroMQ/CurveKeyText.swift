internal import CZeroMQ

/// The 32 bytes of a CURVE key and their text: 40 characters of Z85 (ZeroMQ RFC 32).
enum CurveKeyText {
    static let length = 40
    static let byteCount = 32

    static func bytes(of text: String) -> [UInt8]? {
        guard text.utf8.count == length, !text.utf8.contains(0) else { return nil }
        var bytes = [UInt8](repeating: 0, count: byteCount)
        return zmq_z85_decode(&bytes, text) == nil ? nil : bytes
    }

    static func text(of bytes: [UInt8]) -> String {
        precondition(bytes.count == byteCount, "a CURVE key has 32 bytes")
        return makeText { zmq_z85_encode($0, bytes, bytes.count) == nil ? -1 : 0 } ?? ""
    }

    /// Makes a text from a libzmq call that fills a buffer of one key's length; nil when the call fails.
    static func makeText(_ write: (UnsafeMutablePointer<CChar>?) -> Int32) -> String? {
        var buffer = [CChar](repeating: 0, count: length + 1)
        guard buffer.withUnsafeMutableBufferPointer({ write($0.baseAddress) }) == 0 else { return nil }
        return String(decoding: buffer.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
