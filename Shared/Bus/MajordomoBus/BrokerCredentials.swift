internal import ZeroMQ

/// The keys with which this process and a broker on the network authenticate each other. They are never printed.
public struct BrokerCredentials: Sendable, CustomReflectable {
    let role: CurveRole

    /// - Parameters:
    ///   - secretKey: of this process, 40 characters of Z85.
    ///   - brokerKey: the broker's public key, 40 characters of Z85.
    public init(secretKey: String, brokerKey: String) throws(BrokerCredentialsError) {
        guard CurveKeyPair.isSupported else { throw .noEncryption }
        guard let secret = CurveSecretKey(secretKey) else { throw .notASecretKey }
        guard let broker = CurvePublicKey(brokerKey) else { throw .notABrokerKey }
        do {
            role = .client(try CurveKeyPair(secretKey: secret), server: broker)
        } catch {
            throw .notASecretKey
        }
    }

    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// The reason why texts are not valid credentials.
public enum BrokerCredentialsError: Error, Sendable {
    case notASecretKey, notABrokerKey
    /// libzmq was built without CURVE.
    case noEncryption
}
