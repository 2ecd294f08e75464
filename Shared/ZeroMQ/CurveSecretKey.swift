/// The secret half of a CURVE key pair: what proves who a peer is. It prints, dumps and reflects as nothing.
public struct CurveSecretKey: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    let bytes: [UInt8]

    /// - Parameter text: 40 characters of Z85.
    public init?(_ text: String) {
        guard let bytes = CurveKeyText.bytes(of: text) else { return nil }
        self.bytes = bytes
    }

    /// 40 characters of Z85, for the one file that keeps them.
    public func revealed() -> String { CurveKeyText.text(of: bytes) }

    public var description: String { "(a secret key)" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: []) }
}
