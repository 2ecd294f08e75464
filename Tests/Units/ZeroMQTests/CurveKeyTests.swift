import Testing
import ZeroMQ

@Suite struct CurveKeyTests {
    /// The pair of ZeroMQ's own documentation (zmq_curve).
    private static let secretText = "JTKVSB%%)wK0E.X)V>+}o?pNmC{O&4W4b!Ni{Lh6"
    private static let publicText = "rq:rM>}U?@Lns47E1%kR.o@n%FcmmsL/@{H8]yf7"

    @Test func `this libzmq has CURVE`() {
        #expect(CurveKeyPair.isSupported)
    }

    @Test func `a public key is derived from its secret key`() throws {
        let secretKey = try #require(CurveSecretKey(Self.secretText))
        #expect(try CurveKeyPair(secretKey: secretKey).publicKey.description == Self.publicText)
        #expect(secretKey.revealed() == Self.secretText)
        #expect(CurvePublicKey(Self.publicText)?.description == Self.publicText)
    }

    @Test func `random pairs differ, and the keys of a pair belong together`() throws {
        let pairs = try (0..<3).map { _ in try CurveKeyPair.random() }
        #expect(Set(pairs.map(\.publicKey)).count == 3)
        for pair in pairs {
            #expect(try CurveKeyPair(secretKey: pair.secretKey).publicKey == pair.publicKey)
        }
    }

    @Test(arguments: [
        "", "rq:rM>}U?@Lns47E1%kR.o@n%FcmmsL/@{H8]yf", "rq:rM>}U?@Lns47E1%kR.o@n%FcmmsL/@{H8]yf77",
        "rq:rM>}U?@Lns47E1%kR.o@n%FcmmsL/@{H8]yf\n", "rq:rM>}U?@Lns47E1%kR.o@n%FcmmsL/@{H8]yf ",
        "rq:rM>}U?@Lns47E1%kR.o@n%FcmmsL/@{H8]yf~", "rq:rM>}U?@Lns47E1%kR.o@n%FcmmsL/@{H8]yf\0",
        "rq:rM>}U?@Lns47E1%kR.o@n%FcmmsL/@{H8]y가", "########################################",
    ])
    func `a text that is not 40 characters of Z85 is no key`(text: String) {
        #expect(CurvePublicKey(text) == nil)
        #expect(CurveSecretKey(text) == nil)
    }

    @Test(arguments: [0, 31, 33])
    func `a key has 32 bytes`(count: Int) {
        #expect(CurvePublicKey(bytes: [UInt8](repeating: 7, count: count)) == nil)
        #expect(CurvePublicKey(bytes: [UInt8](repeating: 7, count: 32)) != nil)
    }

    @Test func `a secret key is never printed`() throws {
        let secretKey = try #require(CurveSecretKey(Self.secretText))
        let pair = try CurveKeyPair(secretKey: secretKey)
        let role = CurveRole.client(pair, server: pair.publicKey)
        var options = SocketOptions()
        options.curve = role
        var dumped = ""
        dump(options, to: &dumped)
        for text in ["\(secretKey)", "\(pair)", "\(role)", "\(options)", String(reflecting: options), dumped] {
            #expect(!text.contains(Self.secretText))
            // Not as bytes either: this key begins with "142, 11, 221, …".
            #expect(!text.contains("142"))
        }
        #expect(dumped.contains("(a secret key)"))
    }
}
