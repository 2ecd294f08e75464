import ProcessKit

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Removes private data from a text: secrets, the user's folder and name, this machine's name, and addresses of
/// other machines.
struct Redaction: Sendable {
    /// Shorter secrets would match parts of ordinary words.
    private static let shortestSecret = 6

    private let secrets: [String]
    private let home: String?
    /// Names that are removed where they occur as whole words.
    private let names: [(name: String, instead: String)]

    /// - Parameters:
    ///   - secrets: texts that must not appear.
    ///   - home: the user's folder.
    ///   - user: the user's name; the name of a system account reveals nothing.
    ///   - host: the machine's name.
    init(secrets: [String], home: String?, user: String?, host: String?) {
        // The longest first: one secret may be part of another.
        self.secrets = Set(secrets).filter { $0.count >= Self.shortestSecret }
            .sorted { ($1.count, $0) < ($0.count, $1) }
        self.home = home.flatMap { $0.count > 1 ? $0 : nil }
        names = [(host, "[host]"), (user, "[user]")].compactMap { name, instead in
            guard let name, name != "localhost", name != "root", name.wholeMatch(of: /[A-Za-z0-9._-]{2,}/) != nil else {
                return nil
            }
            return (name, instead)
        }
    }

    /// The secrets in the environment: the values themselves and the contents of the files it names.
    init(_ environment: Environment, host: String?) {
        let names = environment.names.filter { name in
            ["KEY", "SECRET", "TOKEN", "PASSWORD"].contains { name.contains($0) }
        }
        let files = names.filter { $0.hasSuffix("_FILE") }
        let contents = files.compactMap { environment[$0] }.compactMap {
            // An unreadable file cannot have been output either.
            try? String(contentsOf: URL(fileURLWithPath: $0), encoding: .utf8)
        }
        let values = names.filter { !files.contains($0) && $0 != "BOXOFFICE_KEYS" }.compactMap { environment[$0] }
        self.init(
            secrets: values + contents.flatMap { $0.split(whereSeparator: \.isWhitespace).map(String.init) },
            home: environment["HOME"], user: environment["USER"] ?? environment["LOGNAME"], host: host)
    }

    func redacted(_ text: String) -> String {
        var result = secrets.reduce(text) { $0.replacing($1, with: "[secret]") }
        if let home { result.redact(home, pattern: "\(home.escapedForRegex)(?![A-Za-z0-9._-])", with: "~") }
        for (name, instead) in names {
            result.redact(name, pattern: "\\b\(name.escapedForRegex)\\b", with: instead)
        }
        return
            result
            .replacing(/(?i)(authorization[:=] ?(?:[a-z]+ )?|KakaoAK |[?&]key=)[^"\s&\\]+/) { "\($0.1)[secret]" }
            // As long as a key of KOBIS or Kakao, in any variable.
            .replacing(/\b[0-9A-Za-z]{32}\b/.wordBoundaryKind(.simple), with: "[32 letters]")
            .replacing(/tcp:\/\/(?!127\.|localhost)(?:\[[^\]]*\]|[^:\/\s"]+)/, with: "tcp://[address]")
            .replacing(/\b(?!127\.)(?:[0-9]{1,3}\.){3}[0-9]{1,3}\b/.wordBoundaryKind(.simple), with: "[address]")
            .replacing(/(?i)\b[0-9a-f]{1,4}(?::[0-9a-f]{0,4}){4,7}\b/.wordBoundaryKind(.simple), with: "[address]")
    }
}

extension String {
    /// - Parameter pattern: matches the text to remove.
    fileprivate mutating func redact(_ text: String, pattern: String, with instead: String) {
        guard let place = try? Regex(pattern) else {
            // An invalid pattern removes the whole text instead of leaking a part.
            replace(text, with: instead)
            return
        }
        replace(place.wordBoundaryKind(.simple), with: instead)
    }

    /// The pattern that matches the text literally.
    fileprivate var escapedForRegex: String {
        reduce(into: "") { $0 += $1.isASCII && !$1.isLetter && !$1.isNumber ? "\\\($1)" : "\($1)" }
    }
}
