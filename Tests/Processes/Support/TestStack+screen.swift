import Testing

extension TestStack {
    /// Runs the gateway in a terminal that tmux emulates, and returns the final screen.
    ///
    /// - Parameter path: the search path for programs; nil for the default.
    func screen(_ command: String, columns: Int, lines: Int = 60, path: String? = nil) async throws -> String {
        let path = path.map { "PATH='\($0)'" } ?? ""
        let result = try await shell(
            """
            name=bx$$; inner="LC_ALL=C.UTF-8 \(path) '$BIN/gateway' \(command); printf END-OF-IT; cat"
            tmux -u -L $name -f /dev/null new-session -d -x \(columns) -y \(lines) "$inner" || exit
            until screen=$(tmux -u -L $name capture-pane -p) && [[ $screen == *END-OF-IT* ]]; do :; done
            tmux -L $name kill-server
            printf '%s' "$screen"
            """)
        #expect(result.status == 0, "\(result)")
        return result.output.replacing(/END-OF-IT\s*$/, with: "")
    }
}
