/// The few letters that posters carry, five by seven dots each.
enum PosterLetters {
    static func width(of text: String) -> Int {
        max(0, text.count * 6 - 1)
    }

    /// The dots that are set, from the top left corner.
    static func pixels(of text: String) -> [(x: Int, y: Int)] {
        text.enumerated().flatMap { position, letter in
            (glyphs[letter] ?? []).enumerated().flatMap { row, dots in
                dots.enumerated().compactMap { column, dot in
                    dot == "#" ? (x: position * 6 + column, y: row) : nil
                }
            }
        }
    }

    private static let glyphs: [Character: [String]] = [
        "D": ["####.", "#...#", "#...#", "#...#", "#...#", "#...#", "####."],
        "E": ["#####", "#....", "#....", "####.", "#....", "#....", "#####"],
        "M": ["#...#", "##.##", "#.#.#", "#.#.#", "#...#", "#...#", "#...#"],
        "O": [".###.", "#...#", "#...#", "#...#", "#...#", "#...#", ".###."],
    ]
}
