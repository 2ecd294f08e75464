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

    private static let receiver = ["OTEL_EXPORTER_OTLP_ENDPOINT": "http://a"]

    @Test(arguments: [("OTEL_SDK_DISABLED", "true"), ("OTEL_SDK_DISABLED", "TRUE"), ("OTEL_TRACES_EXPORTER", "none")])
    func `Traces are off by the variables of OpenTelemetry`(name: String, value: String) throws {
        #expect(try configuration(Self.receiver.merging([name: value]) { $1 }).traces == nil)
        #expect(try configuration(Self.receiver.merging([name: "false"]) { $1 }).traces != nil)
    }

    @Test(arguments: ["OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "OTEL_EXPORTER_OTLP_PROTOCOL"])
    func `Another protocol costs the traces and a warning, and no metrics`(name: String) throws {
        let other = try configuration(Self.receiver.merging([name: "grpc"]) { $1 })
        #expect(other.traces == nil && other.warning?.contains("\(name)=grpc") == true)
        let spoken = try configuration(Self.receiver.merging([name: "http/json"]) { $1 })
        #expect(spoken.traces != nil && spoken.warning == nil)
        #expect(try configuration([name: "grpc"]).warning == nil, "there is no receiver")
    }

    @Test func `The variables of traces come before the general ones`() throws {
        let general = ["OTEL_EXPORTER_OTLP_HEADERS": "a=general", "OTEL_EXPORTER_OTLP_TIMEOUT": "2000"]
        let own = ["OTEL_EXPORTER_OTLP_TRACES_HEADERS": "a=own", "OTEL_EXPORTER_OTLP_TRACES_TIMEOUT": "3000"]
        let first = try configuration(Self.receiver.merging(general) { $1 }).traces
        #expect(first?.headers.map(\.1) == ["general"] && first?.timeout == .seconds(2))
        let second = try configuration(Self.receiver.merging(general) { $1 }.merging(own) { $1 }).traces
        #expect(second?.headers.map(\.1) == ["own"] && second?.timeout == .seconds(3))
        #expect(try configuration(Self.receiver).traces?.timeout == .seconds(10))
    }

    @Test(arguments: [
        ("BOXOFFICE_EXPORTER_PORT", "65536"), ("BOXOFFICE_EXPORTER_PORT", "x"),
        ("OTEL_EXPORTER_OTLP_ENDPOINT", "127.0.0.1:4318"),
        ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "https://user:secret@a"),
        ("OTEL_EXPORTER_OTLP_TRACES_HEADERS", "secret"), ("OTEL_EXPORTER_OTLP_HEADERS", "secret"),
        ("OTEL_EXPORTER_OTLP_TRACES_TIMEOUT", "x"),
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
