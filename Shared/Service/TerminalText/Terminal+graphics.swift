private import Dispatch

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Darwin
#endif

extension Terminal {
    /// Queries which graphics the terminal supports; symbols when it does not answer in time.
    ///
    /// Waits up to one second for a remote terminal, also when cancelled: a later answer would be read as typed input.
    public func graphics() async -> TerminalGraphics {
        guard isInteractive else { return .symbols }
        return await withCheckedContinuation { continuation in
            // It blocks: on its own thread, not on the cooperative thread pool.
            DispatchQueue(label: "terminal").async {
                let graphics = withController { GraphicsReply.requestGraphics(from: $0, limit: .seconds(1)) }
                continuation.resume(returning: graphics ?? .symbols)
            }
        }
    }

    /// Opens the terminal for writing and reading; nil in the background, where reading would stop this process.
    private func withController<Result>(_ body: (Int32) -> Result) -> Result? {
        var path = [CChar](repeating: 0, count: 256)
        guard ttyname_r(descriptor, &path, path.count) == 0 else { return nil }
        let terminal = open(path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
        guard terminal >= 0 else { return nil }
        defer { close(terminal) }
        return tcgetpgrp(terminal) == getpgrp() ? body(terminal) : nil
    }
}

extension GraphicsReply {
    /// Queries the terminal on a non-blocking descriptor, without echo until it has answered.
    static func requestGraphics(from terminal: Int32, limit: Duration) -> TerminalGraphics {
        var before = termios()
        guard tcgetattr(terminal, &before) == 0 else { return .symbols }
        let noKey = cc_t(truncatingIfNeeded: fpathconf(terminal, Int32(_PC_VDISABLE)))
        var quiet = before
        quiet.c_lflag &= ~tcflag_t(ICANON | ECHO)
        withUnsafeMutableBytes(of: &quiet.c_cc) { characters in
            characters[Int(VMIN)] = 1
            characters[Int(VTIME)] = 0
            // A stopped process would leave the terminal without echo; Ctrl-C still works, and restores the terminal.
            characters[Int(VSUSP)] = noKey
            characters[Int(VQUIT)] = noKey
        }
        guard tcsetattr(terminal, TCSANOW, &quiet) == 0 else { return .symbols }
        var isAnswered = true
        // A late answer is discarded, since the shell would read it as typed input.
        defer { tcsetattr(terminal, isAnswered ? TCSANOW : TCSAFLUSH, &before) }
        // Input that is already typed stays in the queue: it could not be distinguished from an answer.
        guard !isReadable(terminal, within: .zero) else { return .symbols }

        let end = ContinuousClock.now + limit
        // A terminal may display an unknown query; the line is then cleared.
        guard send("\r\(question)\r\u{1B}[K", to: terminal) else { return .symbols }
        var reply = GraphicsReply()
        var bytes = [UInt8](repeating: 0, count: 256)
        while !reply.isComplete, .now < end {
            // Timeout or interruption: the loop condition checks the time that is left.
            guard isReadable(terminal, within: end - .now) else { continue }
            let count = read(terminal, &bytes, bytes.count)
            if count > 0 {
                reply.take(bytes.prefix(count))
            } else if count == 0 || errno != EINTR && errno != EAGAIN {
                break
            }
        }
        isAnswered = reply.isComplete
        return reply.graphics
    }

    private static func send(_ text: String, to terminal: Int32) -> Bool {
        let bytes = Array(text.utf8)
        return write(terminal, bytes, bytes.count) == bytes.count
    }

    private static func isReadable(_ descriptor: Int32, within limit: Duration) -> Bool {
        var input = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        let milliseconds = max(
            0, limit.components.seconds * 1000 + limit.components.attoseconds / 1_000_000_000_000_000)
        return poll(&input, 1, Int32(min(milliseconds, 60_000))) > 0
    }
}
