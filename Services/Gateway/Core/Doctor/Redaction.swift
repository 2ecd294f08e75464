import ProcessKit

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Takes out of a text what is nobody else's business: secrets, the user's folder and name, this machine's name, and
/// addresses of others.
struct Redaction: Sendable {
    /// Shorter ones would be found in innocent words.
    private static let shortestSecret = 6

    private let secrets: [String]
    private let home: String?
    /// Names that are taken out where they stand as words.
    private let names: [(name: String, instead: String)]

    /// - Parameters:
    ///   - secrets: texts that must not appear.
    ///   - home: the user's folder.
    ///   - user: the user's name; that of the system's own user says nothing.
    ///   - host: the machine's name.
    init(secrets: [String], home: String?, user: String?, host: String?) {
        // The longest first: one may be a part of another.
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

    /// What the environment says of secrets, the values themselves and the contents of the files that it names.
    init(_ environment: Environment, host: String?) {
        let names = environment.names.filter { name in
            ["KEY", "SECRET", "TOKEN", "PASSWORD"].contains { name.contains($0) }
        }
        let files = names.filter { $0.hasSuffix("_FILE") }
        let contents = files.compactMap { environment[$0] }.compactMap {
            // What cannot be read cannot have been told either.
            try? String(contentsOf: URL(fileURLWithPath: $0), encoding: .utf8)
        }
        let values = names.filter { !files.contains($0) && $0 != "BOXOFFICE_KEYS" }.compactMap { environment[$0] }
        self.init(
            secrets: values + contents.flatMap { $0.split(whereSeparator: \.isWhitespace).map(String.init) },
            home: environment["HOME"], user: environment["USER"] ?? environment["LOGNAME"], host: host)
    }

    func applied(to text: String) -> String {
        var told = secrets.reduce(text) { $0.replacing($1, with: "[secret]") }
        if let home { told.takeOut(home, pattern: "\(home.escapedForRegex)(?![A-Za-z0-9._-])", with: "~") }
        for (name, instead) in names {
            told.takeOut(name, pattern: "\\b\(name.escapedForRegex)\\b", with: instead)
        }
        return
            told
            .replacing(/(?i)(authorization[:=] ?(?:[a-z]+ )?|KakaoAK |[?&]key=)[^"\s&\\]+/) { "\($0.1)[secret]" }
            // As long as a key of KOBIS or Kakao is, whoever may hold it.
            .replacing(/\b[0-9A-Za-z]{32}\b/.wordBoundaryKind(.simple), with: "[32 letters]")
            .replacing(/tcp:\/\/(?!127\.|localhost)(?:\[[^\]]*\]|[^:\/\s"]+)/, with: "tcp://[address]")
            .replacing(/\b(?!127\.)(?:[0-9]{1,3}\.){3}[0-9]{1,3}\b/.wordBoundaryKind(.simple), with: "[address]")
            .replacing(/(?i)\b[0-9a-f]{1,4}(?::[0-9a-f]{0,4}){4,7}\b/.wordBoundaryKind(.simple), with: "[address]")
    }
}

extension String {
    /// - Parameter pattern: where the text is meant.
    fileprivate mutating func takeOut(_ text: String, pattern: String, with instead: String) {
        guard let place = try? Regex(pattern) else {
            // Rather too much is taken out than something told because its pattern could not be read.
            replace(text, with: instead)
            return
        }
        replace(place.wordBoundaryKind(.simple), with: instead)
    }

    /// Every character as itself.
    fileprivate var escapedForRegex: String {
        reduce(into: "") { $0 += $1.isASCII && !$1.isLetter && !$1.isNumber ? "\\\($1)" : "\($1)" }
    }
}
