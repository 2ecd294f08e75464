import Testing
import ZeroMQ

@Suite(.timeLimit(.minutes(1))) struct SocketTests {
    @Test(arguments: [[3], [0, 0, 1], [33, 34], [1_000_000, 1]])
    func `a message arrives complete`(frameSizes: [Int]) async throws {
        let message = frameSizes.map { [UInt8](repeating: 9, count: $0) }
        try await withPair { (left, right) async throws in
            #expect(try await left.send(message) == .sent)
            #expect(try await right.receive() == message)
        }
    }

    @Test func `a thousand messages arrive in order`() async throws {
        try await withPair { (left, right) async throws in
            async let received = (0..<1000).asyncMap { _ in try await right.receive() }
            for number in 0..<1000 {
                #expect(try await left.send([[UInt8(number % 251)], [UInt8(number / 251)]]) == .sent)
            }
            let expected: [Message?] = (0..<1000).map { [[UInt8($0 % 251)], [UInt8($0 / 251)]] }
            #expect(try await received == expected)
        }
    }

    @Test func `a closed socket ends its receiver`() async throws {
        try await withPair { (left, _) async throws in
            async let received = left.receive()
            await left.close()
            #expect(try await received == nil)
        }
    }

    @Test func `a cancelled receiver ends`() async throws {
        try await withPair { (left, right) async throws in
            let received = try await withThrowingTaskGroup(of: Message?.self) { group in
                group.addTask { try await left.receive() }
                group.cancelAll()
                return try await group.next()
            }
            #expect(received == .some(nil))
            #expect(try await right.send([[1]]) == .sent)
            #expect(try await left.receive() == [[1]])
        }
    }

    @Test func `a full pipe blocks and drains again`() async throws {
        try await withContext { context in
            var options = SocketOptions()
            options.sendHighWaterMark = 1
            options.receiveHighWaterMark = 1
            try await withSocket(.push, in: context, options: options) { push in
                try await withSocket(.pull, in: context, options: options) { pull in
                    try await pull.bind("inproc://full")
                    try await push.connect("inproc://full")
                    var sent = 0
                    while try await push.sendIfReady([[UInt8(sent)]]) == .sent { sent += 1 }
                    #expect(sent > 0)
                    async let late = push.send([[99]])
                    for number in 0..<sent { #expect(try await pull.receive() == [[UInt8(number)]]) }
                    #expect(try await pull.receive() == [[99]])
                    #expect(try await late == .sent)
                }
            }
        }
    }

    @Test func `a mandatory ROUTER reports an unknown peer`() async throws {
        try await withContext { context in
            var options = SocketOptions()
            options.isRouterMandatory = true
            try await withSocket(.router, in: context, options: options) { (router) async throws in
                try await router.bind("inproc://router")
                #expect(try await router.send([[1, 2, 3], [4]]) == .unroutable)
            }
        }
    }

    @Test func `the error of a bad endpoint states the cause and the endpoint`() async throws {
        try await withContext { context in
            try await withSocket(.router, in: context) { (router) async throws in
                let error = await #expect(throws: ZeroMQError.self) { try await router.bind("nonsense://x") }
                #expect(error?.code == .protocolNotSupported)
                #expect(error?.description.contains("nonsense://x") == true)
            }
        }
    }

    @Test func `a monitor reports connection and loss`() async throws {
        try await withContext { context in
            try await withSocket(.dealer, in: context) { dealer in
                let monitor = try await dealer.monitor(in: context)
                try await withSocket(.router, in: context) { (router) async throws in
                    try await router.bind("tcp://127.0.0.1:*")
                    try await dealer.connect(router.lastEndpoint())
                    #expect(try await monitor.next() == .connected)
                    #expect(try await monitor.next() == .handshakeSucceeded)
                }
                #expect(try await monitor.next() == .disconnected)
                await monitor.close()
            }
        }
    }

    private func withPair(_ body: (Socket, Socket) async throws -> Void) async throws {
        try await withContext { context in
            try await withSocket(.pair, in: context) { left in
                try await withSocket(.pair, in: context) { right in
                    try await left.bind("inproc://pair")
                    try await right.connect("inproc://pair")
                    try await body(left, right)
                }
            }
        }
    }
}

extension Sequence {
    fileprivate func asyncMap<Value>(_ transform: (Element) async throws -> Value) async rethrows -> [Value] {
        var values: [Value] = []
        for element in self { values.append(try await transform(element)) }
        return values
    }
}
