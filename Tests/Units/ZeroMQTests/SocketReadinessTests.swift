import CZeroMQ
import PollLoop
import Testing

@testable import ZeroMQ

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A wait relies on this: after a check that found nothing, the descriptor signals new events.
@Suite(.timeLimit(.minutes(1))) struct SocketReadinessTests {
    /// Calls on a socket at which a message has arrived.
    enum Call: CaseIterable {
        case send, refresh, receive
    }

    private static let sequences: [[Call]] = Call.allCases.flatMap { first in
        Call.allCases.flatMap { second in [[first], [first, second], [first, second, .send]] }
    }

    @Test(arguments: sequences) func `no call hides a message`(calls: [Call]) async throws {
        try await withContext { context in
            try check(calls, in: context)
        }
    }

    private func check(_ calls: [Call], in context: Context) throws {
        let pair = try Pair(in: context)
        let early = try pair.near.receive()
        #expect(early == nil && pair.near.readiness.isReadSettled)
        try pair.sendToNear()
        let isSignalled = pair.isNearSignalled()
        try #require(isSignalled, "after a check that found nothing, the descriptor signals a new message")

        var isReceived = false
        for call in calls {
            switch call {
            case .send: _ = try pair.near.send([2])
            case .refresh: pair.near.readiness.refresh()
            case .receive: isReceived = try pair.near.receive() != nil || isReceived
            }
        }
        // A wait checks the socket unless the last check found nothing, and then polls the descriptor.
        if !pair.near.readiness.isReadSettled { pair.near.readiness.refresh() }
        #expect(isReceived == pair.near.readiness.isReadSettled)
    }

    @Test func `only a socket with a peer is ready to send`() async throws {
        try await withContext { context in
            let lonely = try SocketHandle(.push, context: context.pointer, options: SocketOptions())
            lonely.readiness.refresh()
            let isLonelySettled = lonely.readiness.isWriteSettled
            #expect(isLonelySettled)
            let pair = try Pair(in: context)
            pair.near.readiness.refresh()
            #expect(!pair.near.readiness.isWriteSettled && pair.near.readiness.isReadSettled)
        }
    }
}

/// Two connected sockets.
private final class Pair {
    var near: SocketHandle
    var far: SocketHandle

    init(in context: Context) throws {
        near = try SocketHandle(.dealer, context: context.pointer, options: SocketOptions())
        far = try SocketHandle(.dealer, context: context.pointer, options: SocketOptions())
        let endpoint = "inproc://\(UInt64.random(in: 0 ... .max))"
        let isConnected = zmq_bind(near.pointer, endpoint) == 0 && zmq_connect(far.pointer, endpoint) == 0
        try #require(isConnected)
        // One message, so that no event of the connection itself is left.
        try sendToNear()
        while try near.receive() == nil {}
    }

    func sendToNear() throws {
        let outcome = try far.send([1])
        try #require(outcome == .sent)
    }

    func isNearSignalled() -> Bool {
        var item = pollfd(fd: near.readiness.descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&item, 1, 10_000) == 1
    }
}

extension SocketHandle {
    /// Sends a message of one frame.
    fileprivate mutating func send(_ frame: [UInt8]) throws -> SendOutcome {
        try send(1) { sender in frame.withUnsafeBytes { sender.append($0) } }
    }
}
