import Testing
import ZeroMQ

/// Real sockets over loopback tcp, each pair with its own authenticator.
@Suite(.timeLimit(.minutes(1))) struct CurveSocketTests {
    @Test func `a listed key is admitted and exchanges messages`() async throws {
        let (server, client) = (try CurveKeyPair.random(), try CurveKeyPair.random())
        try await withServer(server, admitting: client.publicKey) { context, router, endpoint in
            var options = SocketOptions()
            options.curve = .client(client, server: server.publicKey)
            try await withSocket(.dealer, in: context, options: options) { (dealer) async throws in
                try await dealer.connect(endpoint)
                _ = try await dealer.send([[1], [2]])
                let message = try #require(try await router.receive())
                #expect(Array(message.dropFirst()) == [[1], [2]])
                _ = try await router.send([message[0], [3]])
                #expect(try await dealer.receive() == [[3]])
            }
        }
    }

    @Test func `a peer with another server key is reported to the server`() async throws {
        let (server, client) = (try CurveKeyPair.random(), try CurveKeyPair.random())
        try await withServer(server, admitting: client.publicKey) { context, router, endpoint in
            let failures = try await router.connectionMonitor(in: context)
            var options = SocketOptions()
            options.curve = .client(client, server: client.publicKey)
            options.reconnectInterval = .milliseconds(10)
            try await withSocket(.dealer, in: context, options: options) { (dealer) async throws in
                try await dealer.connect(endpoint)
                #expect(try await failures.firstWithAddress()?.cause == .wrongServerKey)
                #expect(try await router.receiveIfReady() == nil)
            }
            await failures.close()
        }
    }

    @Test func `without an authenticator no peer is admitted`() async throws {
        let (server, client) = (try CurveKeyPair.random(), try CurveKeyPair.random())
        try await withContext { context in
            var options = SocketOptions()
            options.curve = .server(server)
            try await withSocket(.router, in: context, options: options) { router in
                try await router.bind("tcp://127.0.0.1:*")
                var options = SocketOptions()
                options.curve = .client(client, server: server.publicKey)
                try await withSocket(.dealer, in: context, options: options) { (dealer) async throws in
                    let monitor = try await dealer.monitor(in: context)
                    try await dealer.connect(router.lastEndpoint())
                    #expect(try await monitor.next() == .connected)
                    #expect(try await monitor.next() != .handshakeSucceeded)
                    await monitor.close()
                }
            }
        }
    }

    @Test func `one socket uses clear text at one endpoint and CURVE at the next`() async throws {
        let server = try CurveKeyPair.random()
        try await withContext { context in
            try await withSocket(.router, in: context) { router in
                try await router.bind("tcp://127.0.0.1:*")
                let open = try await router.lastEndpoint()
                var options = SocketOptions()
                options.curve = .server(server)
                try await router.set(options)
                try await router.bind("tcp://127.0.0.1:*")
                let locked = try await router.lastEndpoint()
                for (endpoint, isOpen) in [(open, true), (locked, false)] {
                    try await withSocket(.dealer, in: context) { (dealer) async throws in
                        let monitor = try await dealer.monitor(in: context)
                        try await dealer.connect(endpoint)
                        #expect(try await monitor.next() == .connected)
                        #expect((try await monitor.next() == .handshakeSucceeded) == isOpen)
                        await monitor.close()
                    }
                }
            }
        }
    }

    private func withServer(
        _ server: CurveKeyPair, admitting listed: CurvePublicKey,
        _ body: (Context, Socket, String) async throws -> Void
    ) async throws {
        try await withContext { context in
            try await withSocket(.router, in: context) { questions in
                try await questions.bind(ZAPRequest.endpoint)
                async let answering: Void = answer(questions, admitting: listed)
                var options = SocketOptions()
                options.curve = .server(server)
                try await withSocket(.router, in: context, options: options) { router in
                    try await router.bind("tcp://127.0.0.1:*")
                    try await body(context, router, try await router.lastEndpoint())
                }
                await questions.close()
                try await answering
            }
        }
    }

    private func answer(_ questions: Socket, admitting listed: CurvePublicKey) async throws {
        while let message = try await questions.receive() {
            let request = try ZAPRequest(message)
            let reply = request.key == listed ? request.admitted(as: request.key.description) : request.refused()
            _ = try await questions.send(reply.message(to: message[0]))
        }
    }
}

extension ConnectionMonitor {
    /// A peer may disconnect before its address can be read; a peer that reconnects is reported eventually.
    fileprivate func firstWithAddress() async throws -> HandshakeFailure? {
        repeat {
            for case .handshakeFailed(let failure) in try receiveReady() where failure.address == "127.0.0.1" {
                return failure
            }
        } while await waitUntilReadable()
        return nil
    }
}
