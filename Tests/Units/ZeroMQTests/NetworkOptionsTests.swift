import Testing
import ZeroMQ

@Suite struct NetworkOptionsTests {
    @Test(arguments: ["ipc:///run/broker.ipc", "inproc://endpoint"])
    func `no options are added for endpoints within a machine`(endpoint: String) {
        var options = SocketOptions()
        options.adapt(to: endpoint)
        #expect(options.handshakeInterval == nil && options.heartbeat == nil && !options.isIPv6)
    }

    @Test(arguments: [("tcp://192.0.2.1:5555", false), ("tcp://host:5555", false), ("tcp://[::1]:5555", true)])
    func `silence on the network is bounded`(endpoint: String, isIPv6: Bool) throws {
        var options = SocketOptions()
        options.adapt(to: endpoint)
        #expect(options.isIPv6 == isIPv6)
        let (interval, heartbeat) = (try #require(options.handshakeInterval), try #require(options.heartbeat))
        #expect(interval < .seconds(30), "libzmq's own")
        #expect(heartbeat.interval < heartbeat.timeout)
    }

    @Test func `libzmq accepts the options`() async throws {
        try await withContext { context in
            var options = SocketOptions()
            options.adapt(to: "tcp://[::1]:5555")
            try await withSocket(.router, in: context, options: options) { (socket) async throws in
                try await socket.bind("tcp://127.0.0.1:*")
                #expect(try await socket.lastEndpoint().contains("127.0.0.1"))
            }
        }
    }
}
