import Foundation
import Testing

extension ProcessTests.CommandLineTests {
    /// The diagnostic bundle, which a user reviews and sends to support.
    @Suite(.serialized) struct BundleTests {
        let stack: TestStack

        init() throws {
            stack = try TestStack.shared
        }

        @Test func `a bundle holds all diagnostics and no secrets`() async throws {
            struct Bundle: Decodable {
                let version: String
                let findings: [DoctorTests.Report.Finding]
                let settings: [[String: String?]]
                let logs: [String: [String]]
            }
            let file = stack.runFolder + "/bundle.json"
            let result = try await stack.gateway(
                "doctor", "--bundle", file, "--lang", "en",
                environment: ["SOME_TOKEN": "token-that-is-secret", "HOME": stack.runFolder])
            #expect(result.output.contains("✓ services") && result.errors.hasPrefix("Saved: \(file)."), "\(result)")
            let text = try String(contentsOfFile: file, encoding: .utf8)
            for secret in Array(TestStack.usersKeys.values) + ["token-that-is-secret", stack.runFolder] {
                #expect(!text.contains(secret))
            }
            let bundle = try JSONDecoder().decode(Bundle.self, from: Data(text.utf8))
            #expect(bundle.findings.count == 11 && bundle.logs["broker-1.log"]?.isEmpty == false)
            #expect(bundle.settings.contains { $0["name"] == "KOBIS_API_KEY" && $0["value"] == "set" })

            let unwritable = try await stack.gateway("doctor", "--bundle", "/dev/null/x", "--lang", "en")
            #expect(unwritable.status == 74 && unwritable.errors.contains("Choose another place."), "\(unwritable)")
        }

        @Test func `the settings are printed without a stack`() async throws {
            let file = stack.runFolder + "/some.conf"
            try Data("BOXOFFICE_AMBIGUOUS_WIDTH=2\n".utf8).write(to: URL(filePath: file))
            let settings = try await stack.gateway(
                "config", "--lang", "en", "--broker", "tcp://192.0.2.1:5555", environment: ["BOXOFFICE_CONFIG": file])
            #expect(
                settings.status == 0 && settings.output.contains(/BOXOFFICE_BROKER +tcp:\/\/192.0.2.1:5555 +option/))
            #expect(settings.output.contains(#/BOXOFFICE_AMBIGUOUS_WIDTH +2 /#), "\(settings)")
            #expect(settings.output.contains("\(file):1\n") && settings.output.contains(#/KOBIS_API_KEY +set /#))
            let wrong = try await stack.gateway("config", environment: ["BOXOFFICE_AMBIGUOUS_WIDTH": "3"])
            #expect(wrong.status == 0 && wrong.output.contains(#/BOXOFFICE_AMBIGUOUS_WIDTH +3 /#), "\(wrong)")
            let unreadable = try await stack.gateway(
                "config", "--lang", "en", environment: ["BOXOFFICE_CONFIG": file + ".not"])
            #expect(unreadable.status == 78 && unreadable.errors.contains("Cannot read the settings"), "\(unreadable)")
        }
    }
}
