import ServiceKit

/// The words of a command line as the parser can take them.
///
/// Without regular expressions, each of which takes a millisecond before it is first used.
public struct CommandLineWords: Sendable {
    public private(set) var words: [String]

    /// --json=names is two options, and a date such as -1d, which begins like an option, is set apart.
    ///
    /// - Throws: `StartupError` for an argument that is no text: Swift has put replacement characters into it.
    public init(_ arguments: [String]) throws {
        if let place = arguments.firstIndex(where: { $0.unicodeScalars.contains("\u{FFFD}") }) {
            throw StartupError.usage(
                "\(place + 1)번째 인자가 UTF-8 글이 아닙니다.", "Argument \(place + 1) is no UTF-8 text.")
        }
        let prefix = "--json="
        words = arguments.flatMap { word in
            word.hasPrefix(prefix) && word != prefix
                ? ["--json", "--fields", String(word.dropFirst(prefix.count))] : [word]
        }
        guard let index = words.firstIndex(where: Self.isDaysAgo), !words.contains("--") else { return }
        let date = words.remove(at: index)
        if index > 0, words[index - 1] == "--date" {
            words[index - 1] = "--date=\(date)"
        } else {
            words.append(contentsOf: ["--", date])
        }
    }

    /// -1d, -30d.
    private static func isDaysAgo(_ word: String) -> Bool {
        word.utf8.count > 2 && word.hasPrefix("-") && word.hasSuffix("d")
            && word.utf8.dropFirst().dropLast().allSatisfy { 0x30...0x39 ~= $0 }
    }
}
