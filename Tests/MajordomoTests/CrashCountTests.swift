import Testing

@testable import Majordomo

/// What is a crash, and what is none.
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

    @Test(arguments: [1, nil] as [UInt64?]) func aLostConnectionIsACrash(_ process: UInt64?) {
        begin(process: process)
        scene.disconnect("worker")
        #expect(crashes == 1)
    }

    @Test func aProcessThatComesBackHasNotCrashed() {
        begin()
        scene.disconnect("worker")
        scene.join("again", instance: "echo/1", process: 1)
        #expect(crashes == 0)
    }

    @Test(arguments: [2, nil] as [UInt64?]) func anotherProcessOfItsNameProvesTheCrash(_ process: UInt64?) {
        begin()
        scene.disconnect("worker")
        scene.join("again", instance: "echo/1", process: process)
        #expect(crashes == 1)
    }

    @Test func silenceAloneIsNoCrash() {
        begin()
        fallSilent()
        #expect(crashes == 0)
    }

    @Test func silenceThatEndsWithTheConnectionIsACrash() {
        begin()
        fallSilent()
        scene.disconnect("worker")
        scene.disconnect("worker")
        #expect(crashes == 1)
        scene.join("again", instance: "echo/1", process: 1)
        #expect(crashes == 0, "it has only closed its connection for a new one")
    }

    @Test func aStoppedProcessThatHasGoneOnIsNoCrash() {
        begin()
        fallSilent()
        scene.join("again", instance: "echo/1", process: 1)
        scene.disconnect("worker")
        #expect(crashes == 0)
    }

    @Test func ofASilentWorkerWithoutAProcessNothingIsKnown() {
        begin(process: nil)
        fallSilent()
        scene.disconnect("worker")
        #expect(crashes == 0)
    }

    @Test func aWorkerThatCannotBeReachedIsLikeASilentOne() {
        begin()
        scene.advance(by: .milliseconds(1))
        scene.fail(toReach: "worker")
        #expect(crashes == 0)
        scene.disconnect("worker")
        #expect(crashes == 1)
    }

    /// A broker that stood still dispatches to workers whose connections have ended meanwhile.
    @Test func whatCouldNotBeDeliveredHasCrashedNobody() {
        begin()
        scene.fail(toReach: "worker")
        scene.disconnect("worker")
        #expect(crashes == 0)
    }

    @Test func aFarewellIsNoCrash() {
        begin()
        scene.say(.disconnect(extra: []), as: "worker")
        scene.disconnect("worker")
        #expect(crashes == 0)
    }

    @Test(arguments: [false, true]) func aWorkerThatDrainsDoesNotCrash(_ isSilent: Bool) {
        begin()
        scene.say(.heartbeat(extra: [Frame(text: "drain")]), as: "worker")
        if isSilent { fallSilent() }
        scene.disconnect("worker")
        #expect(crashes == 0)
    }

    @Test func aWorkerThatWasExpelledDoesNotCrash() {
        begin()
        scene.join("other", "another", instance: "echo/1", process: 2)
        scene.disconnect("worker")
        #expect(crashes == 0)
    }

    @Test func whatIsWorthMostIsKeptLongest() {
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
