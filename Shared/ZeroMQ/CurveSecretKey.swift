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
