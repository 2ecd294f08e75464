/// Graphics formats of terminals, the best first; the names are those of the program chafa.
public enum TerminalGraphics: String, Sendable, CaseIterable {
    case kitty, iterm, sixels
    /// Coloured half and quarter blocks, which every terminal displays.
    case symbols
}

/// The answer of a terminal to the question which graphics it supports, read incrementally.
///
/// Environment variables are not reliable: a session may continue on a terminal of another kind (ssh, tmux).
struct GraphicsReply: Sendable {
    /// Three queries; terminals answer in this order, and skip unknown queries.
    ///
    /// - A picture in kitty's graphics protocol that is not displayed (`a=q`).
    /// - The name of the terminal (XTVERSION), since iTerm2's protocol has no query.
    /// - The device attributes (DA1): every terminal answers this, so it is the last.
    static let question = "\u{1B}_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\u{1B}\\\u{1B}[>0q\u{1B}[c"

    /// No terminal answers with more than this.
    private static let maxLength = 4096

    private var text = ""

    /// Whether the last answer has arrived, or the text is not an answer.
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
