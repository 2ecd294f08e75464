import MessageBus
import Testing

@testable import BrokerMachine
@testable import Majordomo

/// Which ends of a worker count as a crash.
@Suite struct CrashCountTests {
    let scene = BrokerScene()
    private let ours = Duration.milliseconds(500)

    private var crashes: Int {
        guard let id = scene.broker.entries.keys.first, let charge = scene.broker.charge(of: id) else { return -1 }
        return scene.broker.crashTable.crashCount(of: charge.fingerprint)
    }

    private func begin(process: UInt64? = 1) {
        scene.join("worker", instance: "echo/1", heartbeat: ours, process: process)
        scene.ask()
    }

    private func fallSilent() { scene.advance(by: .milliseconds(1500)) }

    @Test(arguments: [1, nil] as [UInt64?]) func `a lost connection is a crash`(_ process: UInt64?) {
        begin(process: process)
        scene.disconnect("worker")
        #expect(crashes == 1)
    }

    @Test func `a process that registers again has not crashed`() {
        begin()
        scene.disconnect("worker")
        scene.join("again", instance: "echo/1", process: 1)
        #expect(crashes == 0)
    }

    @Test(arguments: [2, nil] as [UInt64?])
    func `another process of the same name confirms the crash`(_ process: UInt64?) {
        begin()
        scene.disconnect("worker")
        scene.join("again", instance: "echo/1", process: process)
        #expect(crashes == 1)
    }

    @Test func `silence alone is no crash`() {
        begin()
        fallSilent()
        #expect(crashes == 0)
    }

    @Test func `silence that ends with the connection is a crash`() {
        begin()
        fallSilent()
        scene.disconnect("worker")
        scene.disconnect("worker")
        #expect(crashes == 1)
        scene.join("again", instance: "echo/1", process: 1)
        #expect(crashes == 0, "it has only closed its connection for a new one")
    }

    @Test func `a suspended process that continues has not crashed`() {
        begin()
        fallSilent()
        scene.join("again", instance: "echo/1", process: 1)
        scene.disconnect("worker")
        #expect(crashes == 0)
    }

    @Test func `a silent worker without a process number is not counted as crashed`() {
        begin(process: nil)
        fallSilent()
        scene.disconnect("worker")
        #expect(crashes == 0)
    }

    @Test func `an unreachable worker is treated like a silent one`() {
        begin()
        scene.advance(by: .milliseconds(1))
        scene.fail(toReach: "worker")
        #expect(crashes == 0)
        scene.disconnect("worker")
        #expect(crashes == 1)
    }

    @Test func `a lost connection is charged only to what was delivered before`() {
        begin()
        scene.advance(by: .milliseconds(1))
        scene.disconnect("worker", undeliveredSince: scene.now)
        #expect(crashes == 1)
        scene.join("worker", instance: "echo/1", heartbeat: ours, process: 2)
        scene.disconnect("worker", undeliveredSince: scene.now)
        #expect(crashes == 1, "it was dispatched again at the moment of the loss")
    }

    /// A broker that was suspended may dispatch to workers whose connections have ended meanwhile.
    @Test func `a request that could not be delivered is not charged with a crash`() {
        begin()
        scene.fail(toReach: "worker")
        scene.disconnect("worker")
        #expect(crashes == 0)
    }

    @Test func `a DISCONNECT is no crash`() {
        begin()
        scene.say(.disconnect(extra: []), as: "worker")
        scene.disconnect("worker")
        #expect(crashes == 0)
    }

    @Test(arguments: [false, true]) func `a worker that drains does not crash`(_ isSilent: Bool) {
        begin()
        scene.say(.heartbeat(extra: [Frame(text: "drain")]), as: "worker")
        if isSilent { fallSilent() }
        scene.disconnect("worker")
        #expect(crashes == 0)
    }

    @Test func `a worker that was expelled does not crash`() {
        begin()
        scene.join("other", "another", instance: "echo/1", process: 2)
        scene.disconnect("worker")
        #expect(crashes == 0)
    }

    @Test func `the records with the most crashes are kept longest`() {
        var table = CrashTable(period: .seconds(10), limit: 3)
        let service = Frame(text: "echo")
        let prints = (0..<4).map { CrashTable.Fingerprint(service: service, hash: $0) }
        for (number, print) in [prints[0], prints[0], prints[1], prints[2], prints[3]].enumerated() {
            _ = table.count(print, crash: UInt64(number), wasAlone: true, at: .seconds(number))
        }
        #expect(prints.map { table.crashCount(of: $0) } == [2, 0, 1, 1])
        let isKnown = table.concerns(service, at: .seconds(13))
        #expect(isKnown)
        #expect(prints.map { table.crashCount(of: $0) } == [0, 0, 0, 1])
        let isKnownStill = table.concerns(service, at: .seconds(14))
        #expect(!isKnownStill)
    }
}
