import Foundation
import Testing
import ZeroMQ

/// Real connections to a ROUTER, over unix sockets and tcp.
@Suite(.timeLimit(.minutes(1))) struct ConnectionMonitorTests {
    enum Transport: CaseIterable {
        case unix, tcp
    }

    @Test(arguments: Transport.allCases)
    func `the monitor reports the peer and the connection of a message`(transport: Transport) async throws {
        try await withServer(over: transport) { context, router, monitor, endpoint in
            try await withSocket(.dealer, in: context) { (dealer) async throws in
                try await dealer.connect(endpoint)
                _ = try await dealer.send([[1]])
                let message = try await router.nextAddressed()
                let accepted = try #require(try await monitor.events { $0.connection }.first)
                #expect(message.frames == [[1]] && message.origin.userID == nil)
                #expect(accepted.descriptor == message.origin.descriptor)
                #expect(accepted.address == (transport == .tcp ? "127.0.0.1" : nil))
                #expect(accepted.process == (transport == .unix ? getpid() : nil))
                #expect(accepted.isWritable)
                #if os(Linux)
                    #expect((accepted.readBytes != nil) == (transport == .tcp))
                #endif
            }
            #expect(try await monitor.events { $0.end }.count == 1)
        }
    }

    /// A ROUTER reads an address ahead when it is asked whether there is a message.
    @Test func `every message states its connection, however it was read`() async throws {
        try await withServer(over: .unix) { context, router, _, endpoint in
            try await withSocket(.dealer, in: context) { (dealer) async throws in
                try await dealer.connect(endpoint)
                for number in 0..<2_000 {
                    _ = try await dealer.send([[UInt8(number % 256)]])
                    #expect(await router.waitUntilReadable())
                    let messages = try await router.allReady()
                    #expect(messages.allSatisfy { $0.origin.descriptor >= 0 }, "\(number)")
                }
            }
        }
    }

    @Test(arguments: Transport.allCases)
    func `shutting down ends that connection and no other`(transport: Transport) async throws {
        try await withServer(over: transport) { context, router, monitor, endpoint in
            var options = SocketOptions()
            options.reconnectInterval = .seconds(60)
            try await withSocket(.dealer, in: context, options: options) { first in
                try await withSocket(.dealer, in: context, options: options) { (second) async throws in
                    try await first.connect(endpoint)
                    _ = try await first.send([[1]])
                    let doomed = try await router.nextAddressed()
                    let connection = try #require(try await monitor.events { $0.connection }.first)
                    try await second.connect(endpoint)
                    _ = try await second.send([[2]])
                    let survivor = try await router.nextAddressed()

                    connection.shutDown()
                    #expect(try await monitor.events { $0.end } == [doomed.origin.descriptor])
                    // The descriptor may belong to another connection by now: a second call has no effect.
                    connection.shutDown()
                    _ = try await router.send([survivor.address, [3]])
                    #expect(try await second.receive() == [[3]])
                    _ = try await second.send([[4]])
                    #expect(try await router.nextAddressed().frames == [[4]])
                }
            }
        }
    }

    #if os(Linux)
        @Test func `read bytes are counted`() async throws {
            try await withServer(over: .tcp) { context, router, monitor, endpoint in
                try await withSocket(.dealer, in: context) { (dealer) async throws in
                    try await dealer.connect(endpoint)
                    _ = try await dealer.send([[1]])
                    _ = try await router.nextAddressed()
                    let connection = try #require(try await monitor.events { $0.connection }.first)
                    let before = try #require(connection.readBytes)
                    _ = try await dealer.send([[UInt8](repeating: 7, count: 100_000)])
                    _ = try await router.nextAddressed()
                    let grown = try #require(connection.readBytes) - before
                    #expect((100_000...100_100).contains(grown), "\(grown)")
                }
            }
        }
    #endif

    private func withServer(
        over transport: Transport,
        _ body: (Context, Socket, ConnectionMonitor, _ endpoint: String) async throws -> Void
    ) async throws {
        let file = "/tmp/monitor-\(UInt64.random(in: 0 ... .max)).ipc"
        defer { unlink(file) }
        try await withContext { context in
            try await withSocket(.router, in: context) { (router) async throws in
                let monitor = try await router.connectionMonitor(in: context)
                try await router.bind(transport == .tcp ? "tcp://127.0.0.1:*" : "ipc://\(file)")
                try await body(context, router, monitor, try await router.lastEndpoint())
                await monitor.close()
            }
        }
    }
}

extension ConnectionEvent {
    fileprivate var connection: AcceptedConnection? {
        if case .accepted(let connection) = self { connection } else { nil }
    }

    fileprivate var end: Int32? {
        if case .ended(let descriptor) = self { descriptor } else { nil }
    }
}

extension ConnectionMonitor {
    /// Waits for events with the attribute, and returns its values.
    fileprivate func events<AttributeValue>(_ attribute: (ConnectionEvent) -> AttributeValue?) async throws
        -> [AttributeValue]
    {
        repeat {
            let attributes = try receiveReady().compactMap(attribute)
            if !attributes.isEmpty { return attributes }
        } while await waitUntilReadable()
        return []
    }
}

extension Socket {
    fileprivate func allReady() throws -> [AddressedMessage] {
        var messages: [AddressedMessage] = []
        try receiveReady(into: &messages)
        return messages
    }

    fileprivate func nextAddressed() async throws -> AddressedMessage {
        repeat {
            if let message = try allReady().first { return message }
        } while await waitUntilReadable()
        throw CancellationError()
    }
}
