import Contracts
import HTTPKit
import Localization
public import ProcessKit
import ServiceKit

/// What pages do with the posters of an image search.
enum PosterUse: String, Sendable, CaseIterable {
    /// The images themselves, fetched by poster-resolver.
    case proxy
    /// Only a link to the page that shows the image.
    case link
    case off
}

/// The settings of the web server.
public struct WebConfiguration: Sendable {
    let address: ListenAddress
    /// Of pages for a browser that names no language.
    let language: Language
    /// The address of the site for other programs, such as "https://example.org"; nil: no page names one.
    var url: String?
    /// Host names that requests may have beside those of the loopback, without a port.
    var allowedHosts: Set<String>
    var posters: PosterUse
    /// Peers whose X-Forwarded-For is believed.
    var proxies: Set<ClientAddress>
    /// Upstream calls a day that visitors may cause, each address a fifth of them.
    var callsPerDay: Int
    /// For finished pages.
    var cacheMegabytes: Int
    /// Whether pages show how they were answered: which processes there are, and what they did.
    var explains: Bool
    /// Whether pages become files, which no server answers for: they have no forms.
    var isStatic = false

    /// Reads `BOXOFFICE_LANG`, `BOXOFFICE_WEB_HOST`, `BOXOFFICE_WEB_PORT`, `BOXOFFICE_WEB_URL`, `BOXOFFICE_WEB_ALLOWED_HOSTS`,
    /// `BOXOFFICE_WEB_PROXY`, `BOXOFFICE_WEB_CALLS`, `BOXOFFICE_WEB_POSTERS`,
    /// `BOXOFFICE_WEB_CACHE` and `BOXOFFICE_WEB_HOW`.
    ///
    /// - Throws: `StartupError` that names the setting and its possible values.
    public init(_ environment: Environment) throws {
        address = try ListenAddress(
            host: "BOXOFFICE_WEB_HOST", port: "BOXOFFICE_WEB_PORT", usualPort: 8080, environment)
        try Language.check(environment)
        // The locale of a server says nothing about its readers.
        language = environment[Language.variable].flatMap(Language.init) ?? .ko
        url = environment["BOXOFFICE_WEB_URL"].map { $0.hasSuffix("/") ? String($0.dropLast()) : $0 }
        if let url { try Self.check(url) }
        allowedHosts = Set(environment.list("BOXOFFICE_WEB_ALLOWED_HOSTS"))
        proxies = Set(
            try environment.list("BOXOFFICE_WEB_PROXY").map { text in
                guard let address = ClientAddress(text) else {
                    throw StartupError.unusable("BOXOFFICE_WEB_PROXY", text, ko: "IP 주소", en: "IP addresses")
                }
                return address
            })
        cacheMegabytes = try environment.number("BOXOFFICE_WEB_CACHE", default: 16, in: 0...1024)
        callsPerDay = try Self.callsPerDay(environment)
        let isLocal = address.isLoopback && allowedHosts.isEmpty && proxies.isEmpty
        let posters = environment["BOXOFFICE_WEB_POSTERS"] ?? (isLocal ? "proxy" : "link")
        guard let use = PosterUse(rawValue: posters) else {
            let known = PosterUse.allCases.map(\.rawValue).joined(separator: ", ")
            throw StartupError.unusable("BOXOFFICE_WEB_POSTERS", posters, ko: known, en: "one of: \(known)")
        }
        self.posters = use
        let how = environment["BOXOFFICE_WEB_HOW"] ?? (isLocal ? "1" : "0")
        guard ["0", "1"].contains(how) else {
            throw StartupError.unusable("BOXOFFICE_WEB_HOW", how, ko: "0, 1", en: "0 or 1")
        }
        explains = how == "1"
    }

    /// The pages lie at the root of a host.
    private static func check(_ url: String) throws {
        guard let match = url.wholeMatch(of: /(https?:\/\/[A-Za-z0-9.:\-\[\]]+)(\/.*)?/) else {
            throw StartupError.unusable(
                "BOXOFFICE_WEB_URL", url, ko: "https://example.org 같은 주소", en: "an address such as https://example.org")
        }
        guard match.2 == nil else {
            throw StartupError.unusable(
                "BOXOFFICE_WEB_URL", url,
                ko: "경로 없는 주소(\(match.1)). 페이지는 호스트의 최상위 경로에만 둘 수 있으므로, 프록시에서 호스트 이름 하나를 이 서버로 연결하세요",
                en:
                    "an address without a path, such as \(match.1): pages need the root of a host, so give them a host name of their own in your proxy"
            )
        }
    }

    /// Fewer than the day has, so that some are left for the people who ask at a terminal.
    private static func callsPerDay(_ environment: Environment) throws -> Int {
        let quota = try environment.number("KOBIS_DAILY_LIMIT", default: 3_000, in: CallLimitBounds.allowed)
        guard let calls = environment["BOXOFFICE_WEB_CALLS"] else { return quota / 3 * 2 }
        guard let number = Int(calls), number == 0 || (0..<quota).contains(number) else {
            throw StartupError.unusable(
                "BOXOFFICE_WEB_CALLS", calls, ko: "0부터 \(quota - 1)까지의 정수(KOBIS_DAILY_LIMIT=\(quota))",
                en: "a number from 0 to \(quota - 1) (KOBIS_DAILY_LIMIT is \(quota))")
        }
        return number
    }
}
