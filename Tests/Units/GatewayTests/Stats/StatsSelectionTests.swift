import Contracts
import Envelope
import Inspection
import Localization
import TestSupport
import Testing

@testable import GatewayCore

@Suite struct StatsSelectionTests {
    private func selection(_ subject: String?) throws -> StatsSelection {
        try StatsSelection(
            subject, broker: "broker/1",
            status: StatsSamples.status(["detail-fetcher/1", "detail-fetcher/2", "echo/1"], silent: ["echo/3"]),
            traffic: [StatsSamples.traffic("gone"), StatsSamples.traffic("echo")])
    }

    @Test func `without a subject all services are selected: running, past and expected ones`() throws {
        let selection = try selection(nil)
        #expect(selection.hasBroker && selection.instance == nil)
        #expect(selection.services == (ServiceName.all + ["echo", "gone"]).sorted())
    }

    @Test(
        arguments: [
            ("broker", [], nil, true), ("broker/1", [], nil, true), ("echo", ["echo"], nil, false),
            ("gone", ["gone"], nil, false), ("cache-store", ["cache-store"], nil, false),
            ("detail-fetcher/2", ["detail-fetcher"], "detail-fetcher/2", false),
            ("echo/3", ["echo"], "echo/3", false),
        ] as [(String, [String], String?, Bool)])
    func `a subject is the broker, a service or one worker`(
        subject: String, services: [String], instance: String?, hasBroker: Bool
    ) throws {
        let selection = try selection(subject)
        #expect(selection.services == services)
        #expect(selection.instance == instance)
        #expect(selection.hasBroker == hasBroker)
    }

    @Test(arguments: ["", "broker/2", "detail-fetcher/3", "detail", "gone/1"])
    func `an unknown subject is named in the failure`(subject: String) throws {
        let failure = try #require(throws: Failure.self) { try selection(subject) }
        #expect(failure.code == .unavailable)
        #expect(failure.message.ko.contains(subject) && failure.message.en.contains(subject))
    }
}
