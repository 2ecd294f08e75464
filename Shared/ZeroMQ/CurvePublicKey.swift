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
