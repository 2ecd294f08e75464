import Testing

extension TestStack {
    /// Emulates a terminal that answers one capability query, and prints everything sent to it.
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
    ///   - answer: the terminal's answer to the query, or keyboard input in its place; empty for none.
    ///   - typed: keyboard input before the gateway reads anything.
    /// - Returns: what was sent to the terminal.
    func terminal(answering answer: String, typed: String = "", _ words: String...) async throws -> CommandResult {
        let program = try Repository.binaries + "/gateway"
        var command = try command("python3", ["-c", Self.player, answer, typed, program] + words)
        command.environment["TERM"] = "xterm-256color"
        return try await command.run()
    }
}
