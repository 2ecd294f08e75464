import Contracts
import Envelope
import Localization
import TestSupport
import Testing

@testable import GatewayCore

/// What no test of processes provokes easily: programs of several releases, a disk that refuses.
@Suite struct HealthCheckTests {
    private func finding(
        _ check: String, version: String = "0.1.0", diskFailure: String? = nil, stateFailure: String? = nil,
        setAside: [String] = [], damaged: Int = 0, cacheFailure: Failure? = nil
    ) throws -> Finding {
        let call = StatsReport.Service(
            WorkerCensus(service: "echo", instances: []), traffic: nil, workers: [])
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

    @Test func `programs of another release are named, and all are to be built anew`() throws {
        #expect(try finding("versions").isHealthy)
        let sick = try finding("versions", version: "9.9.9")
        #expect(sick.exitStatus == 70 && sick.what.en == "broker/1 is 0.1.0, gateway is 9.9.9.")
        #expect(sick.fix?.en.contains("compose/stack restart all") == true)
    }

    @Test func `a cache that works without its disk is told with the reason`() throws {
        #expect(try finding("cache").isHealthy)
        for sick in [
            try finding("cache", diskFailure: "no room"), try finding("cache", stateFailure: "no room"),
        ] {
            #expect(sick.exitStatus == 74 && sick.what.en.contains("no room"))
            #expect(sick.fix?.en.contains("BOXOFFICE_CACHE_DIR") == true && sick.fix?.ko.isEmpty == false)
        }
    }

    @Test("A check that cache-store does not answer has failed", arguments: ["quota", "cache"])
    func unansweredCheck(check: String) throws {
        let finding = try finding(check, cacheFailure: Samples.timeout)
        #expect(finding.exitStatus == 75 && !finding.isHealthy)
        #expect(finding.what.en.hasPrefix("This could not be checked") && finding.what.ko.hasPrefix("확인하지 못했습니다"))
    }

    @Test("A service of another program is named and is no fault")
    func foreignService() throws {
        #expect(try finding("foreign").isHealthy && finding("foreign").what.en.contains("echo"))
        #expect(try finding("services").isHealthy)
    }

    @Test("What a disk has damaged is a finding, and so is what was lost with it")
    func damage() throws {
        #expect(try finding("databases").isHealthy)
        #expect(try finding("databases", damaged: 2).exitStatus == 74)
        let replaced = try finding("databases", setAside: ["/c/state.sqlite.corrupt-7"])
        #expect(replaced.exitStatus == 74 && replaced.what.en.contains("/c/state.sqlite.corrupt-7"))
    }
}
