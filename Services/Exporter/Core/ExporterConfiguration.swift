public import ProcessKit
import ServiceKit

/// The receiver of traces.
struct TraceEndpoint: Equatable, Sendable {
    let url: String
    let headers: [(String, String)]

    /// What a log may name of the URL: no path and no query, which may contain a secret.
    var origin: String { String(url.prefix(while: { $0 != "/" })) + "//" + url.split(separator: "/")[1] }

    static func == (left: TraceEndpoint, right: TraceEndpoint) -> Bool {
        left.url == right.url && left.headers.elementsEqual(right.headers) { $0 == $1 }
    }
}

/// The settings of the exporter; those of traces have the names that OpenTelemetry gives them.
public struct ExporterConfiguration: Sendable {
    /// 9464 is the port that OpenTelemetry gives to exporters for Prometheus.
    let address: ListenAddress
    /// Nil: no traces are sent.
    var traces: TraceEndpoint?

    /// Reads `BOXOFFICE_EXPORTER_HOST`, `BOXOFFICE_EXPORTER_PORT`, `OTEL_EXPORTER_OTLP_TRACES_ENDPOINT`,
    /// `OTEL_EXPORTER_OTLP_ENDPOINT`, `OTEL_EXPORTER_OTLP_PROTOCOL` and `OTEL_EXPORTER_OTLP_HEADERS`.
    ///
    /// - Throws: `StartupError` that names the setting and its possible values.
    public init(_ environment: Environment) throws {
        address = try ListenAddress(
            host: "BOXOFFICE_EXPORTER_HOST", port: "BOXOFFICE_EXPORTER_PORT", usualPort: 9464, environment)
        traces = try Self.traces(environment)
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
        for name in ["OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "OTEL_EXPORTER_OTLP_PROTOCOL"] {
            if let spoken = environment[name], spoken != "http/json" {
                throw StartupError.unusable(
                    name, spoken, ko: "http/json", en: "http/json, which is what the exporter speaks")
            }
        }
        return TraceEndpoint(url: url, headers: try headers(environment))
    }

    /// "name=value,name=value", with percent-encoded values.
    private static func headers(_ environment: Environment) throws -> [(String, String)] {
        let name = "OTEL_EXPORTER_OTLP_HEADERS"
        return try (environment[name] ?? "").split(separator: ",").map { pair in
            guard let match = pair.wholeMatch(of: /\s*([A-Za-z0-9\-_.]+)\s*=\s*(.*?)\s*/),
                let value = percentDecoded(match.2), value.utf8.allSatisfy({ 0x20..<0x7f ~= $0 })
            else {
                throw StartupError.unusable(name, "…", ko: "name=value,name=value", en: "name=value,name=value")
            }
            return (String(match.1), value)
        }
    }

    private static func percentDecoded(_ text: Substring) -> String? {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard rest.count >= 2, let decoded = UInt8(String(rest.prefix(2)) ?? "", radix: 16) else { return nil }
            bytes.append(decoded)
            rest = rest.dropFirst(2)
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
