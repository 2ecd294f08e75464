import Testing

extension TestStack {
    /// Plays a terminal that answers once it is asked what it can do, and shows all that it was sent.
    private static let player = """
        import fcntl, os, pty, struct, sys, termios

        pid, terminal = pty.fork()
        if pid == 0:
            fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("HHHH", 30, 120, 0, 0))
            os.execvp(sys.argv[2], sys.argv[2:])
        answer, shown = sys.argv[1].encode(), b""
        while True:
            try:
                shown += os.read(terminal, 65536)
            except OSError:  # the last program has closed it
                break
            if answer and b"\\x1b[c" in shown:
                os.write(terminal, answer)
                answer = b""
        os.waitpid(pid, 0)
        if not termios.tcgetattr(terminal)[3] & termios.ECHO:
            sys.exit("the terminal was left without echo")
        sys.stdout.buffer.write(shown)
        """

    /// Runs the gateway in a terminal of 120 columns and 30 lines.
    ///
    /// - Parameter answer: of the terminal; empty for one that answers nothing.
    /// - Returns: what was sent to the terminal.
    func terminal(answering answer: String, _ words: String...) async throws -> String {
        var command = try command("python3", ["-c", Self.player, answer, Repository.binaries + "/gateway"] + words)
        command.environment["TERM"] = "xterm-256color"
        let result = try await command.run()
        #expect(result.status == 0, "\(result)")
        return result.output
    }
}
