/// Graphics formats of terminals, the best first; the names are those of the program chafa.
public enum TerminalGraphics: String, Sendable, CaseIterable {
    case kitty, iterm, sixels
    /// Coloured half and quarter blocks, which every terminal displays.
    case symbols
}
