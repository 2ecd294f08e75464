import Testing

extension TestStack {
    /// Plays a terminal that answers once it is asked what it can do, and shows all that it was sent.
    private static let player = """
        import fcntl, os, pty, struct, sys, termios

        pid, terminal = pty.fork()
        if pid == 0:
            fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("HHHH", 30, 120, 0, 0))
            os.execvp(sys.argv[3], sys.argv[3:])
        answer, typed, shown = sys.argv[1].encode(), sys.argv[2].encode(), b""
        os.write(terminal, typed)
        while True:
            try:
                shown += os.read(terminal, 65536)
            except OSError:  # the last program has closed it
                break
            if answer and b"\\x1b[c" in shown:
                os.write(terminal, answer)
                answer = b""
        if not termios.tcgetattr(terminal)[3] & termios.ECHO:
            sys.exit("the terminal was left without echo")
        sys.stdout.buffer.write(shown)
        sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
        """

    /// Runs the gateway in a terminal of 120 columns and 30 lines.
    ///
    /// - Parameters:
    ///   - answer: of the terminal, or what is typed when it is asked; empty for nothing.
    ///   - typed: before the gateway reads anything.
    /// - Returns: what was sent to the terminal.
    func terminal(answering answer: String, typed: String = "", _ words: String...) async throws -> CommandResult {
        let program = try Repository.binaries + "/gateway"
        var command = try command("python3", ["-c", Self.player, answer, typed, program] + words)
        command.environment["TERM"] = "xterm-256color"
        return try await command.run()
    }
}
