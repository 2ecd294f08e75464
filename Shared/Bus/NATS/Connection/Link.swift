internal import CNATS
internal import Dispatch
internal import PollLoop
internal import ProcessKit
internal import Synchronization

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Darwin
#endif

/// One connection of libnats, from connecting to its loss.
///
/// libnats does not connect again by itself: in event-loop mode it would go on parsing in the middle of the message that
/// the loss cut off, and it would hold its lock, for which the loop would wait, while it connects.
final class Link: Sendable {
    let watch: SocketWatch
    let reports: LinkReports
    /// Safety: libnats locks its connections; it is destroyed once, after the last use.
    nonisolated(unsafe) let pointer: OpaquePointer

    /// The attempts to connect of this process that have not ended; a server that stops in the middle of a TLS handshake
    /// keeps its attempts, and their threads.
    private static let attempts = Mutex(0)
    private static let maxAttempts = 64

    /// The time after which the next server is tried, too.
    private static let stagger: Duration = .milliseconds(200)

    private init(_ pointer: OpaquePointer, _ watch: SocketWatch, _ reports: LinkReports) {
        self.pointer = pointer
        self.watch = watch
        self.reports = reports
    }

    /// Connects to the first server that admits this client: one after the other, each soon after the one before, since
    /// one that is suspended accepts connections and says nothing.
    ///
    /// Of several servers, one that knows others is preferred: a server that has just started accepts clients before it
    /// reaches its peers, and the clients of those.
    ///
    /// - Parameter onDenial: called on another thread.
    /// - Throws: `NATSError` when no server admits this client in time.
    static func connect(
        _ options: NATSOptions, on loop: PollLoop, onDenial: @escaping @Sendable (Denial) -> Void
    ) async throws(NATSError) -> Link {
        enum Step: Sendable {
            case ended(Result<Link, NATSError>)
            case tookLong
            case gaveUp
        }
        let (steps, step) = AsyncStream.makeStream(of: Step.self)
        var waiting = options.servers.shuffled()
        var timers: [Task<Void, Never>] = []
        @discardableResult
        func startTimer(_ pause: Duration, _ end: Step) -> Task<Void, Never> {
            let timer = Task { if (try? await Task.sleep(for: pause)) != nil { step.yield(end) } }
            timers.append(timer)
            return timer
        }
        func tryNext() {
            guard let server = waiting.popLast() else { return }
            var options = options
            options.servers = [server]
            let attempt = options
            let timer = startTimer(Self.stagger, .tookLong)
            Task {
                let result = await attemptConnection(attempt, on: loop, onDenial: onDenial)
                timer.cancel()
                // A link that is not taken closes itself.
                step.yield(.ended(result))
            }
        }
        // A server that is lost in the middle of a TLS handshake keeps its attempt for ever.
        let limit = options.connectTimeout + Self.stagger * (options.servers.count + 1)
        startTimer(limit, .gaveUp)
        defer {
            step.finish()
            for timer in timers { timer.cancel() }
        }
        var running = 1
        var failure = NATSError(code: .noServer, operation: "connect")
        var isolated: Link?
        tryNext()
        attempting: for await event in steps {
            switch event {
            case .ended(.success(let link)):
                guard options.servers.count > 1, !link.hasPeers else { return link }
                running -= 1
                guard isolated == nil else { break }
                isolated = link
                startTimer(options.peerWait, .gaveUp)
                // Each of the others gets all of that time.
                while !waiting.isEmpty {
                    running += 1
                    tryNext()
                }
            case .ended(.failure(let error)):
                running -= 1
                // A refusal says more than the silence of another server.
                if failure.code == .noServer { failure = error }
            case .tookLong: break
            case .gaveUp: break attempting
            }
            if !waiting.isEmpty {
                running += 1
                tryNext()
            }
            if running == 0 { break }
        }
        if let isolated { return isolated }
        throw failure
    }

    /// Whether the server has reached another one since it started; when it has lost them all, it may still say so.
    private var hasPeers: Bool {
        var (urls, count): (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?, Int32) = (nil, 0)
        guard nats.natsConnection_GetDiscoveredServers(pointer, &urls, &count) == NATS_OK, let urls else {
            return false
        }
        for index in 0..<Int(count) { free(urls[index]) }
        free(urls)
        return count > 0
    }

    /// Connects.
    private static func attemptConnection(
        _ options: NATSOptions, on loop: PollLoop, onDenial: @escaping @Sendable (Denial) -> Void
    ) async -> Result<Link, NATSError> {
        let isAllowed = attempts.withLock { running in
            guard running < maxAttempts else { return false }
            running += 1
            return true
        }
        guard isAllowed else {
            return .failure(NATSError(code: .timeout, operation: "connect: \(maxAttempts) attempts have not ended"))
        }
        defer { attempts.withLock { $0 -= 1 } }
        let (watch, reports) = (SocketWatch(on: loop), LinkReports(onDenial: onDenial))
        let made: Result<UncheckedPointer, NATSError> = await runBlocking {
            Result { () throws(NATSError) in
                try options.withOptions { options throws(NATSError) in
                    try watch.install(in: options)
                    return UncheckedPointer(pointer: try reports.connect(options))
                }
            }
        }
        return made.mapError(\.withoutBrokenHandshake).map { Link($0.pointer, watch, reports) }
    }

    /// Ends the connection by way of the loop, which reads the end of the socket: libnats frees the state of TLS when it
    /// ends a connection, also while another thread reads with it. To be called on the loop.
    func shutDown() {
        guard let descriptor = watch.state.descriptor else { return }
        shutdown(descriptor, Int32(SHUT_RDWR))
    }

    deinit {
        let pointer = UncheckedPointer(pointer: pointer)
        DispatchQueue(label: "nats").async { nats.natsConnection_Destroy(pointer.pointer) }
    }
}

/// Safety: libnats locks what it points to.
private struct UncheckedPointer: @unchecked Sendable {
    let pointer: OpaquePointer
}
