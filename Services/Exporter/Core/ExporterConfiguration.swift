import Domain
public import ProcessKit
import ServiceKit

/// The receiver of traces.
struct TraceEndpoint: Equatable, Sendable {
    let url: String
    let headers: [(String, String)]
    /// The limit of a request.
    var timeout: Duration = .seconds(10)

    /// What a log may name of the URL: no path and no query, which may contain a secret.
    var origin: String { String(url.prefix(while: { $0 != "/" })) + "//" + url.split(separator: "/")[1] }

    static func == (left: TraceEndpoint, right: TraceEndpoint) -> Bool {
        left.url == right.url && left.timeout == right.timeout && left.headers.elementsEqual(right.headers) { $0 == $1 }
    }
}

/// The settings of the exporter; those of traces have the names that OpenTelemetry gives them.
public struct ExporterConfiguration: Sendable {
    /// 9464 is the port that OpenTelemetry gives to exporters for Prometheus.
    let address: ListenAddress
    /// Names of hosts that requests may have, in lower case.
    let allowedHosts: Set<String>
    /// Nil: no traces are sent.
    var traces: TraceEndpoint?
    /// Why no traces are sent although there is a receiver, for the log.
    let warning: String?

    /// Reads `BOXOFFICE_EXPORTER_HOST`, `…_PORT` and `…_ALLOWED_HOSTS`, `OTEL_SDK_DISABLED`, `OTEL_TRACES_EXPORTER` and
    /// `OTEL_EXPORTER_OTLP_ENDPOINT`, `…_PROTOCOL`, `…_HEADERS` and `…_TIMEOUT`, each also as `OTEL_EXPORTER_OTLP_TRACES_…`.
    ///
    /// - Throws: `StartupError` that names the setting and its possible values.
    public init(_ environment: Environment) throws {
        address = try ListenAddress(
            host: "BOXOFFICE_EXPORTER_HOST", port: "BOXOFFICE_EXPORTER_PORT", usualPort: 9464, environment)
        allowedHosts = Set(environment.list("BOXOFFICE_EXPORTER_ALLOWED_HOSTS"))
        let protocols = ["OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "OTEL_EXPORTER_OTLP_PROTOCOL"]
        let endpoint = try Self.isDisabled(environment) ? nil : Self.traces(environment)
        if endpoint != nil, let name = protocols.first(where: { environment[$0] != nil }),
            let spoken = environment[name], spoken != "http/json"
        {
            // A setting for all programs of a machine must not end this one, which has metrics, too.
            warning = "No traces are sent: \(name)=\(AddressText(spoken)), and the exporter sends http/json only."
            traces = nil
        } else {
            warning = nil
            traces = endpoint
        }
    }

    /// By the variables that OpenTelemetry gives every program.
    private static func isDisabled(_ environment: Environment) -> Bool {
        environment["OTEL_SDK_DISABLED"]?.lowercased() == "true" || environment["OTEL_TRACES_EXPORTER"] == "none"
    }

    private static func traces(_ environment: Environment) throws -> TraceEndpoint? {
        let own = environment["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"]
        let (name, url) =
            if let own {
                ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", own)
            } else if let base = environment["OTEL_EXPORTER_OTLP_ENDPOINT"] {
                ("OTEL_EXPORTER_OTLP_ENDPOINT", (base.hasSuffix("/") ? String(base.dropLast()) : base) + "/v1/traces")
            } else {
                ("", "")
            }
        guard !url.isEmpty else { return nil }
        guard url.wholeMatch(of: /https?:\/\/[A-Za-z0-9.\-\[\]:]+(\/[!-~]*)?/) != nil else {
            // It may contain a secret, so that the message does not repeat it.
            throw StartupError.unusable(
                name, "…", ko: "http://127.0.0.1:4318 같은 주소", en: "an address such as http://127.0.0.1:4318")
        }
        return TraceEndpoint(url: url, headers: try headers(environment), timeout: try timeout(environment))
    }

    /// In milliseconds in both variables; 10 s without them.
    private static func timeout(_ environment: Environment) throws -> Duration {
        let own = "OTEL_EXPORTER_OTLP_TRACES_TIMEOUT"
        let name = environment[own] == nil ? "OTEL_EXPORTER_OTLP_TIMEOUT" : own
        return .milliseconds(try environment.number(name, default: 10_000, in: 1...600_000))
    }

    /// "name=value,name=value", with percent-encoded values.
    private static func headers(_ environment: Environment) throws -> [(String, String)] {
        let own = "OTEL_EXPORTER_OTLP_TRACES_HEADERS"
        let name = environment[own] == nil ? "OTEL_EXPORTER_OTLP_HEADERS" : own
        return try (environment[name] ?? "").split(separator: ",").map { pair in
            guard let match = pair.wholeMatch(of: /\s*([A-Za-z0-9\-_.]+)\s*=\s*(.*?)\s*/),
                let value = PercentCoding.decoded(match.2), value.utf8.allSatisfy({ 0x20..<0x7f ~= $0 })
            else {
                throw StartupError.unusable(name, "…", ko: "name=value,name=value", en: "name=value,name=value")
            }
            return (String(match.1), value)
        }
    }
}
