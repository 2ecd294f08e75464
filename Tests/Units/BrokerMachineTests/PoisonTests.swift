import BrokerMachine
import Majordomo
import MessageBus
import Testing

@Suite struct PoisonTests {
    let scene = BrokerScene { content in
        content.first.map { RequestDescription(kind: $0.text, payload: content.dropFirst()) }
    }
    let poison = [Frame(text: "movie.detail"), Frame(text: "poison")]
    let harmless = [Frame(text: "movie.detail"), Frame(text: "harmless")]

    /// A worker that gets requests and crashes; the next one is another process.
    private func crash(_ worker: String, process: UInt64, capacity: Int = 4, asking asks: () -> Void = {}) {
        scene.join(worker, capacity: capacity, process: process)
        asks()
        scene.disconnect(worker)
    }

    /// The poison request, call 1, has been in flight at two crashes, and waits.
    private func makeSuspect(_ asks: @escaping () -> Void = {}) {
        crash("a", process: 1) {
            scene.ask(call: 1, content: poison)
            asks()
        }
        crash("b", process: 2)
    }

    private func makeQuarantined() {
        makeSuspect()
        crash("c", process: 3)
    }

    private var events: [LedgerEvent] {
        scene.notes.filter { event in
            switch event {
            case .suspected, .quarantined: true
            default: false
            }
        }
    }

    private let first = RequestID(query: 1, call: 1)

    @Test func `a request in flight at two crashes gets its own worker`() throws {
        makeSuspect { scene.ask(call: 2, content: harmless) }
        #expect(
            events == [
                .suspected(id: first, service: "echo", kind: "movie.detail"),
                .suspected(id: RequestID(query: 1, call: 2), service: "echo", kind: "movie.detail"),
            ])
        scene.join("c", capacity: 4)
        let trial = try #require(scene.dispatches(to: "c").first)
        #expect(trial.call == 1)
        #expect(trial.control?.attempts == 3)
        scene.ask(call: 3)
        #expect(scene.dispatches(to: "c").isEmpty, "nothing is dispatched beside a suspect")
        scene.finish(trial, as: "c")
        #expect(scene.dispatches(to: "c").map(\.call) == [3], "the queue is dispatched between two suspects")
    }

    @Test func `an innocent request that shared workers with a poison request is answered`() throws {
        makeSuspect { scene.ask(call: 2, content: harmless) }
        crash("c", process: 3)
        #expect(scene.answers().map(\.refusal) == [.workerLost])
        scene.join("d", capacity: 4)
        let trial = try #require(scene.dispatches(to: "d").first)
        #expect(trial.call == 2)
        scene.finish(trial, as: "d")
        #expect(scene.answers().map(\.content) == [[Frame(text: "done")]])
        scene.ask(call: 3, content: harmless)
        scene.ask(call: 4, content: harmless)
        #expect(scene.dispatches(to: "d").map(\.call) == [3, 4], "its answer has cleared it")
    }

    @Test func `a worker is reserved for a suspect`() throws {
        makeSuspect()
        scene.disconnect("client")
        scene.join("x", capacity: 2)
        scene.join("y", capacity: 2)
        for call in 11...13 as ClosedRange<UInt64> { scene.ask(call: call, by: "other") }
        let atX = scene.dispatches(to: "x")
        let atY = try #require(scene.dispatches(to: "y").first)
        #expect(atX.count == 2)
        scene.ask(call: 2, content: poison)
        scene.ask(call: 14, by: "other")
        #expect(scene.dispatches(to: "y").isEmpty, "the one with the fewest in flight is reserved")
        scene.finish(atX[0], as: "x")
        #expect(scene.dispatches(to: "x").map(\.call) == [14])
        scene.finish(atY, as: "y")
        #expect(scene.dispatches(to: "y").map(\.call) == [2])
    }

    @Test func `the third crash quarantines the request`() {
        makeQuarantined()
        #expect(events.last == .quarantined(id: first, service: "echo", kind: "movie.detail", crashes: 3))
        #expect(scene.answers().map(\.refusal) == [.workerLost])
        scene.join("d", capacity: 4)
        scene.join("e", "another", capacity: 4)
        scene.ask(call: 2, content: poison)
        #expect(scene.answers().map(\.refusal) == [.workerLost])
        scene.ask(call: 3, content: harmless)
        scene.ask(call: 4, content: [Frame(text: "chart"), poison[1]])
        #expect(scene.dispatches(to: "d").map(\.call) == [3, 4], "only the same kind and payload is refused")
        scene.ask("another", call: 5, content: poison)
        #expect(scene.dispatches(to: "e").map(\.call) == [5], "and only at the same service")
        scene.askPlainly(by: "plain", body: poison)
        #expect(scene.taken(by: "plain").isEmpty)
        #expect(scene.broker.counters.refused[.workerLost] == 3)
    }

    @Test func `the quarantine ends ten minutes after the last crash`() {
        makeQuarantined()
        scene.advance(by: .seconds(599))
        scene.join("d")
        scene.ask(call: 2, content: poison)
        #expect(scene.dispatches(to: "d").isEmpty)
        scene.advance(by: .seconds(1))
        scene.ask(call: 3, content: poison)
        #expect(scene.dispatches(to: "d").map(\.call) == [3])
    }

    @Test func `three crashes with other requests in flight prove nothing`() throws {
        for (number, worker) in ["a", "b", "c"].enumerated() {
            let calls = UInt64(2 * number + 1)...UInt64(2 * number + 2)
            scene.join(worker, "echo", capacity: 2, process: UInt64(number))
            for call in calls { scene.ask(call: call, content: call % 2 == 1 ? poison : harmless) }
        }
        for worker in ["a", "b", "c"] { scene.disconnect(worker) }
        #expect(events.count == 2)
        #expect(scene.answers().isEmpty)
        scene.join("d", capacity: 9)
        #expect(scene.dispatches(to: "d").count == 1)
    }

    @Test func `waiting requests equal to a suspect become suspects`() {
        scene.join("a", process: 1)
        scene.ask(call: 1, content: poison)
        scene.ask(call: 2, content: poison)
        scene.ask(call: 3, content: harmless)
        scene.disconnect("a")
        crash("b", process: 2, capacity: 1)
        #expect(scene.broker.report(at: scene.now).services.map(\.queued) == [3])
        scene.join("c", capacity: 3, process: 3)
        #expect(scene.dispatches(to: "c").map(\.call) == [3], "the queue is dispatched first, then a suspect")
        scene.disconnect("c")
        #expect(scene.answers().isEmpty, "the suspects were not in flight")
        crash("d", process: 4, capacity: 1)
        scene.join("e", process: 5)
        #expect(scene.dispatches(to: "e").map(\.call) == [1], "call 3 had its second crash and waits behind")
        scene.disconnect("e")
        #expect(scene.answers().map(\.call) == [2, 1], "those that wait end first")
        scene.join("f")
        #expect(scene.dispatches(to: "f").map(\.call) == [3])
    }

    @Test func `a request that is not idempotent is counted too`() {
        for number in 1...3 as ClosedRange<UInt64> {
            crash("worker \(number)", process: number) {
                scene.ask(call: number, isIdempotent: false, content: poison)
            }
        }
        #expect(scene.answers().map(\.refusal) == [.workerLost, .workerLost, .workerLost])
        scene.join("d")
        scene.ask(call: 4, isIdempotent: false, content: poison)
        #expect(scene.dispatches(to: "d").isEmpty)
        #expect(scene.answers().map(\.refusal) == [.workerLost])
    }

    @Test func `a request that expired before the crash is counted too`() {
        for number in 1...3 as ClosedRange<UInt64> {
            scene.join("worker \(number)", process: number)
            scene.ask(call: number, within: .seconds(1), content: poison)
            scene.advance(by: .seconds(1))
            scene.disconnect("worker \(number)")
        }
        #expect(
            events.last
                == .quarantined(id: RequestID(query: 1, call: 3), service: "echo", kind: "movie.detail", crashes: 3))
    }

    @Test func `without a crash no body is read`() throws {
        let scene = BrokerScene { _ in
            Issue.record("it has been read")
            return nil
        }
        scene.join("worker")
        scene.ask(call: 1)
        scene.finish(try #require(scene.dispatches(to: "worker").first), as: "worker")
        scene.ask(call: 2, isIdempotent: false)
        scene.say(.disconnect(extra: []), as: "worker")
        #expect(scene.answers().count == 2)
    }
}
