/// What a terminal answers when it is asked which pictures it takes, read as it comes.
///
/// Asked and not guessed from variables, which a session takes along to terminals of another kind (ssh, tmux).
struct GraphicsReply: Sendable {
    /// Three questions; terminals answer in their order, and leave out what they do not know.
    ///
    /// - A picture in kitty's graphics protocol that is not to be shown (`a=q`).
    /// - The terminal's name (XTVERSION), since iTerm2's protocol has no question.
    /// - What it can do (DA1): every terminal answers that, so it is the last.
    static let question = "\u{1B}_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\u{1B}\\\u{1B}[>0q\u{1B}[c"

    /// Nobody says more than that.
    private static let maxLength = 4096

    private var text = ""

    /// Whether the last answer is there, or what comes is none.
    var isComplete: Bool { attributes != nil || text.utf8.count > Self.maxLength }

    mutating func take(_ bytes: some Sequence<UInt8>) {
        text += String(decoding: Array(bytes), as: UTF8.self)
    }

    var graphics: TerminalGraphics {
        if text.contains("\u{1B}_Gi=31;OK\u{1B}\\") { return .kitty }
        if text.contains("\u{1B}P>|iTerm2") { return .iterm }
        return attributes?.contains("4") == true ? .sixels : .symbols
    }

    /// Numbers of DA1; 4 is sixel graphics.
    private var attributes: [Substring]? {
        text.firstMatch(of: /\u{1B}\[\?([0-9;]*)c/)?.1.split(separator: ";")
    }
}
