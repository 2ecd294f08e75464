import Envelope
import Foundation
import MessageBus
import ProcessKit
import ServiceKit
import Testing

@Suite struct ServiceStatsTests {
    private static let unknown = ServiceStats(
        ServiceInfo(name: "echo", id: "echo/1", version: "0.1.0", started: "", uptimeSeconds: 0), requests: 0,
        answered: 0, errors: [:], lastError: nil, queueDepth: nil, inFlight: 0, redeliveries: 0, expired: 0,
        dropped: [:],
        latency: LatencyHistogram().summary)

    @Test func `an unknown value is null, never missing and never 0`() throws {
        let json = try #require(
            JSONSerialization.jsonObject(with: Data(JSONBytes.encode(Self.unknown))) as? [String: Any])
        #expect(json["lastError"] is NSNull && json["queueDepth"] is NSNull)
        let latency = try #require(json["latency"] as? [String: Any])
        for key in ["p50Microseconds", "p95Microseconds", "p99Microseconds", "maxMicroseconds"] {
            #expect(latency[key] is NSNull)
        }
    }

    @Test func `stats can be read as info`() throws {
        let identity = ServiceIdentity(name: "echo", id: "echo/1", clock: WallClock { 10 })
        let info = identity.info()
        let stats = ServiceStats(
            info, requests: 1, answered: 1, errors: [:], lastError: nil, queueDepth: 0, inFlight: 0, redeliveries: 0,
            expired: 0, dropped: [:], latency: LatencyHistogram().summary)
        #expect(try JSONBytes.decode(ServiceInfo.self, from: JSONBytes.encode(stats)) == info)
        #expect(info.started == "1970-01-01T00:00:10.000000Z")
        #expect(info.version == ProductVersion.current)
    }

    @Test(arguments: [(.zero, 0), (.microseconds(1499), 0.001), (.milliseconds(2346), 2.346)] as [(Duration, Double)])
    func `uptime is given in seconds, to the millisecond`(uptime: Duration, seconds: Double) {
        let start = ContinuousClock.now
        let identity = ServiceIdentity(name: "echo", id: "echo/1", clock: .system, start: start)
        #expect(identity.info(at: start + uptime).uptimeSeconds == seconds)
    }

    @Test func `the product's version is a semantic one`() {
        #expect(ProductVersion.current.wholeMatch(of: /(0|[1-9][0-9]*)(\.(0|[1-9][0-9]*)){2}(-[0-9A-Za-z.-]+)?/) != nil)
    }
}
