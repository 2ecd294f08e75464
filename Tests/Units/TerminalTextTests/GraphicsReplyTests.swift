import Testing

@testable import TerminalText

@Suite struct GraphicsReplyTests {
    private func reply(_ pieces: String...) -> GraphicsReply {
        var reply = GraphicsReply()
        for piece in pieces { reply.take(piece.utf8) }
        return reply
    }

    @Test(
        arguments: [
            ("\u{1B}_Gi=31;OK\u{1B}\\\u{1B}P>|WezTerm 2023\u{1B}\\\u{1B}[?65;4;6;18;22c", .kitty),
            ("\u{1B}_Gi=31;EINVAL\u{1B}\\\u{1B}[?62;4c", .sixels), ("\u{1B}P>|iTerm2 3.5\u{1B}\\\u{1B}[?62;4c", .iterm),
            ("\u{1B}P>|tmux 3.3a\u{1B}\\\u{1B}[?1;2c", .symbols), ("\u{1B}[?64;14;42c", .symbols),
            ("\u{1B}[?6c", .symbols),
            ("영수증\u{1B}[?4c", .sixels),
        ] as [(String, TerminalGraphics)])
    func `the best supported format is chosen`(answer: String, graphics: TerminalGraphics) {
        let whole = reply(answer)
        #expect(whole.isComplete && whole.graphics == graphics)
        #expect(!reply(String(answer.dropLast())).isComplete)
        let middle = answer.index(answer.startIndex, offsetBy: answer.count / 2)
        #expect(reply(String(answer[..<middle]), String(answer[middle...])).graphics == graphics)
    }

    @Test func `an answer without the last reply ends at the maximum length`() {
        #expect(reply(String(repeating: "x", count: 5000)).isComplete)
        #expect(reply("").graphics == .symbols)
    }
}
