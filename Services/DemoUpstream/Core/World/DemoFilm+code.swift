/// The demo's film codes: eight characters like KOBIS's, and yet never the code of a real film.
///
/// A real code begins with the year of production; these begin with 9. The fifth character is a letter for a few films,
/// as in the real "2023C632", so that a client that parses codes as numbers fails with the demo.
extension DemoFilm {
    var code: String {
        let week = padded(id.week, to: 4)
        let slot = padded(id.slot, to: 2)
        var random = random(for: 2)
        let mark = random.happens(0.04) ? random.pick(["A", "C", "F"]) : String(random.number(in: 0...9))
        return "9\(week.prefix(3))\(mark)\(week.suffix(1))\(slot)"
    }

    /// The identity of a code, or nil for one that no film of any demo world can have.
    static func id(ofCode code: String) -> ID? {
        let characters = Array(code.utf8)
        guard characters.count == 8, characters[0] == UInt8(ascii: "9") else { return nil }
        let digits = [1, 2, 3, 5, 6, 7].map { Int(characters[$0]) - 48 }
        guard digits.allSatisfy({ (0...9).contains($0) }) else { return nil }
        let week = digits[..<4].reduce(0) { $0 * 10 + $1 }
        return ID(week: week, slot: digits[4] * 10 + digits[5])
    }
}

private func padded(_ number: Int, to width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
}
