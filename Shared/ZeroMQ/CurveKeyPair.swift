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
