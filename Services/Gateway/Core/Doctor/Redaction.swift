import ServiceKit

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Takes out of a text what is nobody else's business: secrets, the user's folder, this machine's name and addresses.
struct Redaction: Sendable {
    /// Shorter ones would be found in innocent words.
    private static let shortestSecret = 6

    private let secrets: [String]
    private let home: String?
    private let host: String?

    /// - Parameters:
    ///   - secrets: texts that must not appear.
    ///   - home: the user's folder.
    ///   - host: the machine's name.
    init(secrets: [String], home: String?, host: String?) {
        // The longest first: one may be a part of another.
        self.secrets = Set(secrets).filter { $0.count >= Self.shortestSecret }
            .sorted { ($1.count, $0) < ($0.count, $1) }
        self.home = home.flatMap { $0.count > 1 ? $0 : nil }
        self.host = host.flatMap { $0 != "localhost" && $0.wholeMatch(of: /[A-Za-z0-9.-]+/) != nil ? $0 : nil }
    }

    /// What the environment says of secrets, the values themselves and the contents of the files that it names.
    init(_ environment: Environment, host: String?) {
        let names = environment.names.filter { name in
            ["KEY", "SECRET", "TOKEN", "PASSWORD"].contains { name.contains($0) }
        }
        let values = names.compactMap { environment[$0] }
        // What cannot be read cannot have been told either.
        let contents = values.filter { $0.hasPrefix("/") }.compactMap {
            try? String(contentsOf: URL(fileURLWithPath: $0), encoding: .utf8)
        }
        let lines = contents.flatMap { $0.split(whereSeparator: \.isWhitespace).map(String.init) }
        self.init(
            secrets: values.filter { !$0.hasPrefix("/") } + lines, home: environment["HOME"], host: host)
    }

    func applied(to text: String) -> String {
        var told = secrets.reduce(text) { $0.replacing($1, with: "[secret]") }
        if let home { told.replace(home, with: "~") }
        // As a word: a machine may be called "box".
        if let host, let word = try? Regex("\\b\(host.replacing(".", with: "\\."))\\b") {
            told.replace(word, with: "[host]")
        }
        return told.replacing(/(?i)(authorization[:=] ?(?:[a-z]+ )?|KakaoAK |[?&]key=)[^"\s&\\]+/) { "\($0.1)[secret]" }
            .replacing(/\b(?!127\.)(?:[0-9]{1,3}\.){3}[0-9]{1,3}\b/, with: "[address]")
    }
}
