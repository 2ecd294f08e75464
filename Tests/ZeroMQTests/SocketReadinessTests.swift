import CZeroMQ
import Testing

@testable import ZeroMQ

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// What a wait relies on: after a look that found nothing, the descriptor tells of what comes.
@Suite(.timeLimit(.minutes(1))) struct SocketReadinessTests {
    /// Calls on a socket at which a message has arrived.
    enum Call: CaseIterable {
        case send, look, receive
    }

    private static let sequences: [[Call]] = Call.allCases.flatMap { first in
        Call.allCases.flatMap { second in [[first], [first, second], [first, second, .send]] }
    }

    @Test(arguments: sequences) func noCallHidesAMessage(calls: [Call]) async throws {
        try await withContext { context in
            try check(calls, in: context)
        }
    }

    private func check(_ calls: [Call], in context: Context) throws {
        let pair = try Pair(in: context)
        let early = try pair.near.receive()
        #expect(early == nil && pair.near.readiness.isReadSettled)
        try pair.tell()
        let isTold = pair.isNearTold()
        try #require(isTold, "what comes after a look that found nothing is at the descriptor")

        var isReceived = false
        for call in calls {
            switch call {
            case .send: _ = try pair.near.send([[2]])
            case .look: pair.near.readiness.look()
            case .receive: isReceived = try pair.near.receive() != nil || isReceived
            }
        }
        // A wait looks unless the last look found nothing, and then polls the descriptor.
        if !pair.near.readiness.isReadSettled { pair.near.readiness.look() }
        #expect(isReceived == pair.near.readiness.isReadSettled)
    }

    @Test func onlyASocketWithSomebodyToSendToIsReadyToSend() async throws {
        try await withContext { context in
            let lonely = try SocketHandle(.push, context: context.pointer, options: SocketOptions())
            lonely.readiness.look()
            let isLonelySettled = lonely.readiness.isWriteSettled
            #expect(isLonelySettled)
            let pair = try Pair(in: context)
            pair.near.readiness.look()
            #expect(!pair.near.readiness.isWriteSettled && pair.near.readiness.isReadSettled)
        }
    }
}

/// Two sockets that have met.
private final class Pair {
    var near: SocketHandle
    var far: SocketHandle

    init(in context: Context) throws {
        near = try SocketHandle(.dealer, context: context.pointer, options: SocketOptions())
        far = try SocketHandle(.dealer, context: context.pointer, options: SocketOptions())
        let endpoint = "inproc://\(UInt64.random(in: 0 ... .max))"
        let isConnected = zmq_bind(near.pointer, endpoint) == 0 && zmq_connect(far.pointer, endpoint) == 0
        try #require(isConnected)
        // Both ways once, so that nothing of the connection itself is news any more.
        try tell()
        while try near.receive() == nil {}
    }

    func tell() throws {
        let outcome = try far.send([[1]])
        try #require(outcome == .sent)
    }

    func isNearTold() -> Bool {
        var item = pollfd(fd: near.readiness.descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&item, 1, 10_000) == 1
    }
}
