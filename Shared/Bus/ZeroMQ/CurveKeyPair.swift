internal import CZeroMQ

/// Both halves of a CURVE key pair (ZeroMQ RFC 26).
public struct CurveKeyPair: Sendable {
    public let publicKey: CurvePublicKey
    public let secretKey: CurveSecretKey

    /// Whether this libzmq was built with CURVE; without it, the initialiser and `random()` throw `.notSupported`.
    public static var isSupported: Bool { zmq_has("curve") == 1 }

    /// The pair that a secret key belongs to.
    public init(secretKey: CurveSecretKey) throws(ZeroMQError) {
        let text = CurveKeyText.makeText { zmq_curve_public($0, secretKey.revealed()) }
        guard let publicKey = text.flatMap(CurvePublicKey.init) else { throw .last("derive a public key") }
        self.publicKey = publicKey
        self.secretKey = secretKey
    }

    /// A new pair from the system's random number generator.
    public static func random() throws(ZeroMQError) -> CurveKeyPair {
        var secret: String?
        let publicText = CurveKeyText.makeText { publicBuffer in
            var status: Int32 = -1
            secret = CurveKeyText.makeText { secretBuffer in
                status = zmq_curve_keypair(publicBuffer, secretBuffer)
                return status
            }
            return status
        }
        guard publicText != nil, let secretKey = secret.flatMap(CurveSecretKey.init) else {
            throw .last("make a key pair")
        }
        return try CurveKeyPair(secretKey: secretKey)
    }
}

/// The public half of a CURVE key pair, which identifies a peer. It is not secret.
public struct CurvePublicKey: Hashable, Sendable, CustomStringConvertible {
    let bytes: [UInt8]

    /// - Parameter text: 40 characters of Z85.
    public init?(_ text: String) {
        guard let bytes = CurveKeyText.bytes(of: text) else { return nil }
        self.bytes = bytes
    }

    public init?(bytes: [UInt8]) {
        guard bytes.count == CurveKeyText.byteCount else { return nil }
        self.bytes = bytes
    }

    /// 40 characters of Z85.
    public var description: String { CurveKeyText.text(of: bytes) }
}

/// The secret half of a CURVE key pair, which authenticates a peer. Printing, dumping and reflection do not reveal it.
public struct CurveSecretKey: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    let bytes: [UInt8]

    /// - Parameter text: 40 characters of Z85.
    public init?(_ text: String) {
        guard let bytes = CurveKeyText.bytes(of: text) else { return nil }
        self.bytes = bytes
    }

    /// 40 characters of Z85, for the key file only.
    public func revealed() -> String { CurveKeyText.text(of: bytes) }

    public var description: String { "(a secret key)" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: []) }
}

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
