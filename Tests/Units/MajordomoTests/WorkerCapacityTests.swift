import Majordomo
import MessageBus
import Testing

/// Work that has begun continues after its connection, and uses capacity of the next one.
@Suite struct WorkerCapacityTests {
    private typealias Scene = WorkerScene

    /// A worker on a new connection with four requests in progress, which is its capacity.
    private func reconnected() -> (WorkerScene, [WorkerStateMachine.Delivery]) {
        let scene = Scene.agreed()
        for ticket in 1...4 as ClosedRange<UInt8> { scene.receive(.request(ticket: [ticket], body: [])) }
        let old = scene.deliveries()
        scene.loseConnection()
        scene.open()
        scene.receive(.heartbeat(extra: [Scene.options.encoded]))
        _ = scene.taken()
        return (scene, old)
    }

    @Test func `a request waits until work of the old connection ends`() {
        let (scene, old) = reconnected()
        #expect(old.count == 4)
        scene.receive(.request(ticket: [5], body: []))
        scene.receive(.request(ticket: [6], body: []))
        #expect(scene.deliveries().isEmpty)
        scene.finish(old[0])
        #expect(scene.deliveries().map(\.ticket) == [[5]])
        scene.finish(old[0])
        #expect(scene.deliveries().isEmpty, "it ended once")
        scene.finish(old[3])
        #expect(scene.deliveries().map(\.ticket) == [[6]])
    }

    @Test func `a request that waited is answered over its own connection`() throws {
        let (scene, old) = reconnected()
        scene.receive(.request(ticket: [5], body: []))
        scene.finish(old[1])
        let delivery = try #require(scene.deliveries().first)
        scene.finish(delivery)
        #expect(scene.taken() == [Scene.sent(.final(ticket: [5], body: [Frame(text: "done")]))])
    }

    @Test func `a request that waited when the connection was lost is never begun`() {
        let (scene, old) = reconnected()
        scene.receive(.request(ticket: [5], body: []))
        scene.loseConnection()
        scene.open()
        _ = scene.taken()
        for delivery in old { scene.finish(delivery) }
        #expect(scene.taken().isEmpty)
    }

    @Test func `a request that waited during a suspension is never begun`() {
        let (scene, old) = reconnected()
        scene.receive(.request(ticket: [5], body: []))
        scene.suspend(for: .milliseconds(1501))
        scene.finish(old[0])
        #expect(scene.taken() == [.reopen])
    }

    /// A plain broker's tickets are the addresses of its clients, so they repeat.
    @Test func `a repeated ticket is another request`() throws {
        let scene = Scene.agreed()
        scene.receive(.request(ticket: [1], body: [Frame(text: "first")]))
        let first = try #require(scene.deliveries().first)
        scene.loseConnection()
        scene.open()
        scene.receive(.request(ticket: [1], body: [Frame(text: "second")]))
        let second = try #require(scene.deliveries().first)
        scene.finish(first)
        #expect(scene.taken().isEmpty, "the answer to the first is not used for the second")
        scene.finish(second)
        #expect(scene.taken() == [Scene.sent(.final(ticket: [1], body: [Frame(text: "done")]))])
    }
}
