import ProcessKit
import TestSupport
import Testing

@testable import BrokerCore
@testable import ZeroMQ

/// The authenticator's replies to arbitrary messages at its socket, to which any part of the process can write.
@Suite(.timeLimit(.minutes(1))) struct ZAPAuthenticatorTests {
    @Test func `an invalid request is refused and the next one is answered`() async throws {
        try await withKeyFolder { keys in
            _ = try keys.makeServerKeys()
            let listed = try CurveKeyPair.random().publicKey
            try keys.list("\(listed)\n", as: "listed.pub")
            try await withContext { context in
                let authenticator = try ZAPAuthenticator(
                    context: context, peers: try keys.load().peers, clock: .system, logger: NetworkScene.logger
                ) { Issue.record("\($0) is reported") }
                try await authenticator.open()
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask { try await authenticator.run() }
                    try await withSocket(.dealer, in: context) { (dealer) async throws in
                        try await dealer.connect(ZAPRequest.endpoint)
                        let good = question(listed)
                        let invalid: [Message] = [
                            [[]], [[], []], [[1]], [[], [1, 2, 3]], Array(good.prefix(4)), good + [[0]],
                            [[UInt8]](repeating: [], count: 64),
                            [[], Array("1.0".utf8), [UInt8](repeating: 0, count: 1 << 20)],
                        ]
                        for message in invalid {
                            #expect(try await status(message, dealer) == "500", "\(message.count) frames")
                            #expect(try await status(good, dealer) == "200")
                        }
                    }
                    group.cancelAll()
                }
                await authenticator.close()
            }
        }
    }

    private func question(_ key: CurvePublicKey) -> Message {
        [[]] + ["1.0", "1", "curve", "192.0.2.1", "", "CURVE"].map { Array($0.utf8) } + [key.bytes]
    }

    private func status(_ message: Message, _ dealer: Socket) async throws -> String? {
        _ = try await dealer.send(message)
        guard let reply = try await dealer.receive(), reply.count == 7 else { return nil }
        return String(decoding: reply[3], as: UTF8.self)
    }
}
