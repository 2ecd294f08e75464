internal import HeapModule
public import MessageBus

/// The client side as a value without input and output: the open requests, and how each of them ends.
///
/// Every request ends exactly once: with a reply, a refusal, its deadline, or a lost broker. While the client is
/// disconnected, idempotent requests are kept and repeated with the same id; the others fail when the connection is
/// lost.
public struct ClientStateMachine: Sendable {
    public enum Ending: Sendable, Equatable {
        /// The reply's control frame and the frames after it.
        case reply(ControlFrame, ArraySlice<Frame>)
        case refused(Refusal, attempts: Int)
        case deadlinePassed
        case brokerLost
    }

    public enum Action: Sendable, Equatable {
        case send(PeerMessage)
        case end(RequestID, Ending)
        /// Close the socket and connect a new one; then call `opened`.
        case reopen
    }

    private struct Request: Sendable {
        let service: Frame
        let content: [Frame]
        let isIdempotent: Bool
        let deadline: Duration
        var isSent = false
    }

    private struct DeadlineTimer: Sendable, Comparable {
        let due: Duration
        let id: RequestID

        static func < (left: DeadlineTimer, right: DeadlineTimer) -> Bool { left.due < right.due }
    }

    private let timing: MajordomoTiming
    private let version: MajordomoVersion
    private var requests: [RequestID: Request] = [:]
    /// One per request. Timers of ended requests stay until they reach the top or outnumber the others.
    private var timers = Heap<DeadlineTimer>()
    private var isConnected = false
    private var disconnectedSince: Duration

    /// - Parameter version: the version to use with the broker; a broker of 0.1 is a plain one without refusals.
    public init(timing: MajordomoTiming = MajordomoTiming(), version: MajordomoVersion = .v02, at now: Duration) {
        self.timing = timing
        self.version = version
        disconnectedSince = now
    }

    /// Requests that have not ended.
    public var openRequests: Int { requests.count }

    /// A new request; `id` has not been used before.
    public mutating func requested(
        _ id: RequestID, service: Frame, content: [Frame], isIdempotent: Bool, deadline: Duration, at now: Duration,
        _ actions: inout [Action]
    ) {
        guard deadline > now else { return actions.append(.end(id, .deadlinePassed)) }
        requests[id] = Request(service: service, content: content, isIdempotent: isIdempotent, deadline: deadline)
        timers.insert(DeadlineTimer(due: deadline, id: id))
        if timers.count > 4 * requests.count + 1024 {
            timers = Heap(timers.unordered.filter { requests[$0.id] != nil })
        }
        if isConnected { send(id, at: now, &actions) }
    }

    /// The socket has reached the broker.
    public mutating func connected(at now: Duration, _ actions: inout [Action]) {
        guard !isConnected else { return }
        isConnected = true
        for id in inOrder(requests) { send(id, at: now, &actions) }
    }

    /// The connection is lost. The old socket may hold stale messages, so it is replaced by a new one.
    public mutating func disconnected(at now: Duration, _ actions: inout [Action]) {
        guard isConnected else { return }
        isConnected = false
        disconnectedSince = now
        let lost = inOrder(requests.filter { !$0.value.isIdempotent && $0.value.isSent })
        actions.append(.reopen)
        for id in lost { end(id, .brokerLost, &actions) }
    }

    public mutating func received(_ frames: [Frame], at now: Duration, _ actions: inout [Action]) {
        guard case .final(_, let body) = ClientMessage.fromBroker(frames) else { return }
        guard let control = body.control else {
            // An answer of another release cannot be read, but the request can be refused at once.
            if let id = ControlFrame.id(in: body.content.first) {
                end(id, .refused(.malformed, attempts: 0), &actions)
            }
            return
        }
        guard control.flags.contains(.refused) else {
            return end(control.id, .reply(control, body.content), &actions)
        }
        let refusal = body.content.first.flatMap { Refusal(rawValue: $0.text) } ?? .malformed
        end(control.id, .refused(refusal, attempts: Int(control.attempts)), &actions)
    }

    /// The caller has cancelled the request; it gets no ending. The broker is asked to cancel it if it is still queued.
    public mutating func cancelled(_ id: RequestID, at now: Duration, _ actions: inout [Action]) {
        guard let request = requests.removeValue(forKey: id), request.isSent, isConnected else { return }
        // A plain broker would queue this request for a worker.
        guard version == .v02 else { return }
        var bytes = Frame()
        bytes.append(bigEndian: id.query)
        bytes.append(bigEndian: id.call)
        let service = Frame(text: ManagementService.cancel.rawValue)
        actions.append(.send(.client(version, .request(service: service, body: [bytes]))))
    }

    public mutating func ticked(at now: Duration, _ actions: inout [Action]) {
        while let timer = timers.min, timer.due <= now || requests[timer.id] == nil {
            timers.removeMin()
            end(timer.id, .deadlinePassed, &actions)
        }
        if !isConnected, disconnectedSince + timing.brokerGrace <= now {
            for id in inOrder(requests) { end(id, .brokerLost, &actions) }
        }
    }

    public var nextDeadline: Duration? {
        guard !requests.isEmpty, let earliest = timers.min?.due else { return nil }
        return isConnected ? earliest : min(earliest, disconnectedSince + timing.brokerGrace)
    }

    /// A fixed order, so that a simulation repeats itself.
    private func inOrder(_ requests: [RequestID: Request]) -> [RequestID] {
        requests.keys.sorted { ($0.query, $0.call) < ($1.query, $1.call) }
    }

    /// Ends a request, if it is open.
    private mutating func end(_ id: RequestID, _ ending: Ending, _ actions: inout [Action]) {
        if requests.removeValue(forKey: id) != nil { actions.append(.end(id, ending)) }
    }

    private mutating func send(_ id: RequestID, at now: Duration, _ actions: inout [Action]) {
        guard let index = requests.index(forKey: id) else { return }
        requests.values[index].isSent = true
        let request = requests.values[index]
        let control = ControlFrame(
            id: id, flags: request.isIdempotent ? .idempotent : [],
            remainingMilliseconds: UInt32(clamping: (request.deadline - now).milliseconds))
        let body = MessageBody(control: control, content: request.content[...])
        actions.append(.send(.client(version, .request(service: request.service, body: body))))
    }
}
