#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The last lines of a stack's logs.
enum LogEnds {
    private static let maxLines = 100

    /// By the file's name; empty where there is no such folder, as of a stack on another machine.
    static func all(in folder: String) -> [String: [String]] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        let logs = names.filter { $0.hasSuffix(".log") }.map { ($0, lines("\(folder)/\($0)")) }
        return Dictionary(logs) { first, _ in first }
    }

    /// A log that is gone or cannot be read any more has no lines.
    private static func lines(_ path: String) -> [String] {
        let bytes = (try? Data(contentsOf: URL(fileURLWithPath: path))) ?? Data()
        // A crash may have left half a character.
        return String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline).suffix(maxLines).map(
            String.init)
    }
}
