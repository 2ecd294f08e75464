private import Dispatch

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Darwin
#endif

extension Terminal {
    /// Asks the terminal which pictures it takes; one that does not answer in time takes symbols.
    ///
    /// Takes until the answer is there: a terminal far away has a second. It is also over that late when cancelled, since
    /// what comes later would be taken for typed.
    public func graphics() async -> TerminalGraphics {
        guard isInteractive else { return .symbols }
        return await withCheckedContinuation { continuation in
            // It waits for another program: on a thread of its own, not on one that everybody shares.
            DispatchQueue(label: "terminal").async {
                let answered = withController { terminal in GraphicsReply.asked(of: terminal, limit: .seconds(1)) }
                continuation.resume(returning: answered ?? .symbols)
            }
        }
    }

    /// Opens the terminal for writing and reading; nil in the background, where reading would stop us.
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
    /// Asks the terminal on a descriptor that does not block, without echo while it answers.
    static func asked(of terminal: Int32, limit: Duration) -> TerminalGraphics {
        var before = termios()
        guard tcgetattr(terminal, &before) == 0 else { return .symbols }
        let noKey = cc_t(truncatingIfNeeded: fpathconf(terminal, Int32(_PC_VDISABLE)))
        var quiet = before
        quiet.c_lflag &= ~tcflag_t(ICANON | ECHO)
        withUnsafeMutableBytes(of: &quiet.c_cc) { characters in
            characters[Int(VMIN)] = 1
            characters[Int(VTIME)] = 0
            // Whoever stops us now gets a terminal without echo; Ctrl-C ends us, and the terminal is as before.
            characters[Int(VSUSP)] = noKey
            characters[Int(VQUIT)] = noKey
        }
        guard tcsetattr(terminal, TCSANOW, &quiet) == 0 else { return .symbols }
        var isAnswered = true
        // What comes too late is thrown away, since the shell would take it for typed.
        defer { tcsetattr(terminal, isAnswered ? TCSANOW : TCSAFLUSH, &before) }
        // What somebody has typed already is theirs, and could not be told from an answer.
        guard !isReadable(terminal, within: .zero) else { return .symbols }

        let end = ContinuousClock.now + limit
        // A terminal that does not know a question may show it; then it goes again.
        guard send("\r\(question)\r\u{1B}[K", to: terminal) else { return .symbols }
        var reply = GraphicsReply()
        var bytes = [UInt8](repeating: 0, count: 256)
        while !reply.isComplete, .now < end {
            // Not in time, or interrupted: then there may be time left.
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
