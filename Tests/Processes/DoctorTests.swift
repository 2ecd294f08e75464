import Foundation
import TestSupport
import Testing

extension ProcessTests.CommandLineTests {
    /// `gateway doctor`: each check is made to fail.
    @Suite(.serialized, .stack(environment: ["KAKAO_DAILY_LIMIT": "1"])) struct DoctorTests {
        struct Report: Decodable {
            struct Finding: Decodable {
                let check: String
                let ok: Bool
                let what: [String: String]
                let fix: [String: String]?
            }

            let ok: Bool
            let findings: [Finding]
        }

        let stack: TestStack

        init() throws {
            stack = try TestStack.shared
        }

        private func examine(
            expect status: Int32, environment: [String: String?] = [:]
        ) async throws -> [String: Report.Finding] {
            let result = try await stack.gateway("doctor", "--json", environment: environment)
            #expect(result.status == status, "\(result)")
            let report: Report = try result.decoded()
            #expect(report.ok == (status == 0))
            return Dictionary(uniqueKeysWithValues: report.findings.map { ($0.check, $0) })
        }

        private func expectProblem(
            _ check: String, _ status: Int32, _ what: String, _ fix: String, environment: [String: String?] = [:]
        ) async throws {
            let findings = try await examine(expect: status, environment: environment)
            #expect(findings.filter { !$0.value.ok }.map(\.key) == [check], "\(findings)")
            #expect(findings[check]?.what["en"]?.contains(what) == true, "\(findings)")
            #expect(findings[check]?.fix?["en"]?.contains(fix) == true, "\(findings)")
        }

        @Test func `a healthy stack has no findings`() async throws {
            let findings = try await examine(expect: 0)
            #expect(
                Set(findings.keys) == [
                    "settings", "locale", "keys", "broker", "services", "versions", "upstreams", "quota", "cache",
                    "databases",
                    "archive",
                ])
            let text = try await stack.answered("doctor", "--lang", "en")
            #expect(text.output.contains("✓ services   All 7 instances respond.\n"), "\(text)")
        }

        @Test func `each problem is reported with one fix`() async throws {
            try await expectProblem(
                "locale", 78, "C is not a UTF-8 locale", "export LC_ALL=C.UTF-8", environment: ["LC_ALL": "C"])
            try await expectProblem(
                "settings", 78, "BOXOFFICE_LOGG", "Did you mean BOXOFFICE_LOG?",
                environment: ["BOXOFFICE_LOGG": "debug"])
            try await expectProblem(
                "settings", 78, "BOXOFFICE_LOG=debgu is not a log level", "debug",
                environment: ["BOXOFFICE_LOG": "debgu"])
            let elsewhere = ["BOXOFFICE_RUN": stack.runFolder + "/elsewhere"]
            try await expectProblem("broker", 69, "compose/stack up", "compose/stack doctor", environment: elsewhere)

            try await stack.upstream.withFault("error503") {
                while try await stack.json("stats", "chart-fetcher", as: UpstreamsAnswer.self).isOpen == false {
                    _ = try await stack.gateway("chart", "2016-05-01", "--refresh")
                }
                try await expectProblem("upstreams", 69, "has failed", "asked again by itself")
            }
            while try await stack.gateway("chart", "2016-05-01", "--refresh").status != 0 {
                try Task.checkCancellation()
            }

            _ = try await stack.gateway("poster", "유리 등대")
            try await expectProblem("quota", 75, "Today's 1 calls of Kakao are used up.", "--offline")
        }

        @Test func `a service without workers is reported with the command that starts it`() async throws {
            #expect(try await stack.launcher(["scale", "detail-fetcher=0"]).status == 0)
            let findings = try await examine(expect: 69)
            #expect(
                findings["services"]?.fix?["en"]?.contains("compose/stack scale detail-fetcher=1") == true,
                "\(findings)")
            #expect(try await stack.launcher(["scale", "detail-fetcher=2"]).status == 0)
            #expect(try await stack.launcher(["scale", "cache-store=0"]).status == 0)
            let without = try await examine(expect: 69)
            #expect(without.filter { !$0.value.ok }.keys.sorted() == ["cache", "quota", "services"])
            #expect(
                without["services"]?.fix?["en"]?.contains("compose/stack scale cache-store=1") == true, "\(without)")
            // Whether details are stored is not known, so that nothing is said of them.
            let top = try await stack.gateway("top", "2019-03-15", "--lang", "en")
            #expect(top.status == 0 && !top.errors.contains("not stored"), "\(top)")
            #expect(try await stack.launcher(["scale", "cache-store=1"]).status == 0)
        }
    }

    /// The part of `gateway stats --json` about upstream hosts that the tests read.
    struct UpstreamsAnswer: Decodable {
        struct Service: Decodable {
            let instances: [Instance]
        }

        struct Instance: Decodable {
            let upstreams: [Upstream]?
        }

        struct Upstream: Decodable {
            let state: String
        }

        let services: [Service]

        var isOpen: Bool {
            services.flatMap(\.instances).flatMap { $0.upstreams ?? [] }.contains { $0.state == "open" }
        }
    }
}
