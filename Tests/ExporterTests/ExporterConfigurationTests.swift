import Localization
import ProcessKit
import ServiceKit
import Testing

@testable import ExporterCore

struct ExporterConfigurationTests {
    private func configuration(_ values: [String: String]) throws -> ExporterConfiguration {
        try ExporterConfiguration(Environment(values))
    }

    @Test func `Without settings it listens on the loopback and sends nothing`() throws {
        let configuration = try configuration([:])
        #expect((configuration.address.host, configuration.address.port) == ("127.0.0.1", 9464))
        #expect(configuration.traces == nil)
    }

    @Test func `The general endpoint gets the path of traces, their own is used as it is`() throws {
        let general = ["OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:4318/"]
        #expect(try configuration(general).traces?.url == "http://127.0.0.1:4318/v1/traces")
        let own = ["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "https://[::1]:1/x"]
        #expect(try configuration(general.merging(own) { $1 }).traces?.url == "https://[::1]:1/x")
    }

    @Test func `A log names no path and no query of the endpoint`() throws {
        let traces = try configuration(["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "https://a:1/b?token=c"]).traces
        #expect(traces?.origin == "https://a:1")
    }

    @Test func `Headers are decoded`() throws {
        let traces = try configuration([
            "OTEL_EXPORTER_OTLP_ENDPOINT": "http://a", "OTEL_EXPORTER_OTLP_HEADERS": "api-key=a%20b=&#c, x = Bearer y ",
        ]).traces
        #expect(
            traces == TraceEndpoint(url: "http://a/v1/traces", headers: [("api-key", "a b=&#c"), ("x", "Bearer y")]))
    }

    @Test(arguments: [
        ("BOXOFFICE_EXPORTER_PORT", "65536"), ("BOXOFFICE_EXPORTER_PORT", "x"),
        ("OTEL_EXPORTER_OTLP_ENDPOINT", "127.0.0.1:4318"),
        ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "https://user:secret@a"),
        ("OTEL_EXPORTER_OTLP_PROTOCOL", "grpc"), ("OTEL_EXPORTER_OTLP_HEADERS", "secret"),
        ("OTEL_EXPORTER_OTLP_HEADERS", "a=b%0D%0Ac"), ("OTEL_EXPORTER_OTLP_HEADERS", "a=%x"),
    ])
    func `A value that cannot be used is named`(name: String, value: String) throws {
        let base = name == "OTEL_EXPORTER_OTLP_ENDPOINT" ? [:] : ["OTEL_EXPORTER_OTLP_ENDPOINT": "http://a"]
        let error = try #require(throws: StartupError.self) { try configuration(base.merging([name: value]) { $1 }) }
        #expect(error.exitStatus == ExitStatus.configuration)
        #expect(error.message.en.contains(name))
        #expect(!error.message.en.contains("secret"))
    }
}
