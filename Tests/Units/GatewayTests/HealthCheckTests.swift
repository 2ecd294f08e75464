import Contracts
import Envelope
import Inspection
import Localization
import TestSupport
import Testing

@testable import GatewayCore

/// Cases that are hard to provoke with real processes: programs of several releases, a failing disk.
@Suite struct HealthCheckTests {
    private func finding(
        _ check: String, version: String = "0.1.0", diskFailure: String? = nil, stateFailure: String? = nil,
        setAside: [String] = [], damaged: Int = 0, cacheFailure: Failure? = nil
    ) throws -> Finding {
        let call = StatsReport.Service(
            WorkerCensus(service: "echo", instances: []), traffic: nil, status: StatsSamples.status())
        let tier = CacheStatsReply.Tier(
            name: "disk", entries: 1, bytes: 2, maxEntries: 3, maxBytes: 4, hits: 0, misses: 0, evictions: 0,
            refusals: 0, damaged: damaged)
        let healthCheck = HealthCheck(
            report: StatsReport(broker: StatsSamples.stats("broker/1"), services: [call]),
            quota: cacheFailure.map(Result.failure)
                ?? .success(QuotaListReply(accounts: [], diskFailure: stateFailure)),
            cache: cacheFailure.map(Result.failure)
                ?? .success(
                    CacheStatsReply(
                        memory: [], disk: tier, diskFailure: diskFailure, failures: 0, fresh: 0, stale: 0, missing: 0,
                        setAside: setAside)),
            version: version)
        return try #require(healthCheck.findings.first { $0.check == check })
    }

    @Test func `programs of another release are named, with the advice to rebuild all`() throws {
        #expect(try finding("versions").isHealthy)
        let problem = try finding("versions", version: "9.9.9")
        #expect(problem.exitStatus == 70 && problem.what.en == "broker/1 is 0.1.0, gateway is 9.9.9.")
        #expect(problem.fix?.en.contains("compose/stack restart all") == true)
    }

    @Test func `a cache that works without its disk is reported with the reason`() throws {
        #expect(try finding("cache").isHealthy)
        for problem in [
            try finding("cache", diskFailure: "no room"), try finding("cache", stateFailure: "no room"),
        ] {
            #expect(problem.exitStatus == 74 && problem.what.en.contains("no room"))
            #expect(problem.fix?.en.contains("BOXOFFICE_CACHE_DIR") == true && problem.fix?.ko.isEmpty == false)
        }
    }

    @Test(arguments: ["quota", "cache"])
    func `a check that cache-store does not answer has failed`(check: String) throws {
        let finding = try finding(check, cacheFailure: Samples.timeout)
        #expect(finding.exitStatus == 75 && !finding.isHealthy)
        #expect(finding.what.en.hasPrefix("This could not be checked") && finding.what.ko.hasPrefix("확인하지 못했습니다"))
    }

    @Test func `a service of another program is named and is no problem`() throws {
        #expect(try finding("foreign").isHealthy && finding("foreign").what.en.contains("echo"))
        #expect(try finding("services").isHealthy)
    }

    @Test func `damaged entries and a replaced database are findings`() throws {
        #expect(try finding("databases").isHealthy)
        #expect(try finding("databases", damaged: 2).exitStatus == 74)
        let replaced = try finding("databases", setAside: ["/c/state.sqlite.corrupt-7"])
        #expect(replaced.exitStatus == 74 && replaced.what.en.contains("/c/state.sqlite.corrupt-7"))
    }
}
