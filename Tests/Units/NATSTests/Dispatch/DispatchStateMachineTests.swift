import Majordomo
import MessageBus
import Testing

@testable import NATS

@Suite struct DispatchStateMachineTests {
    private typealias Machine = DispatchStateMachine
    private static let service = "detail-fetcher"
    private let id = RequestID(query: 7, call: 1)

    /// A machine at a time, which records what it does.
    private struct Scene {
        var machine = Machine(at: .zero)
        var now = Duration.zero
        var actions: [Machine.Action] = []

        init(isConnected: Bool = true) {
            if isConnected { machine.connected(at: now, &actions) }
        }

        mutating func request(
            _ id: RequestID, isIdempotent: Bool = true, within time: Duration = .seconds(20)
        ) {
            machine.requested(
                id, service: service, isIdempotent: isIdempotent, deadline: now + time, at: now, &actions)
        }

        /// Passes time, with a tick whenever the machine has asked for one.
        mutating func pass(_ time: Duration) {
            let end = now + time
            while let next = machine.nextDeadline, next <= end {
                now = max(now, next)
                machine.ticked(at: now, &actions)
            }
            now = end
        }

        mutating func noInstance(for id: RequestID) { machine.foundNoInstance(for: id, at: now, &actions) }
        mutating func working(_ id: RequestID, _ instance: String) { machine.working(id, at: instance, now: now) }
        mutating func instances(_ names: [String]) { machine.instances(names, of: service, at: now, &actions) }

        mutating func overloaded(_ id: RequestID, _ instance: String) {
            machine.refused(id, .overloaded, by: instance, at: now, &actions)
        }

        mutating func take() -> [Machine.Action] {
            defer { actions = [] }
            return actions
        }
    }

    @Test func `a request goes to the group and ends with its answer, once`() {
        var scene = Scene()
        scene.request(id)
        #expect(scene.take() == [.send(id, to: .group, attempt: 1)])
        let answers = [scene.machine.answered(id), scene.machine.answered(id)]
        #expect(answers == [true, false])
        scene.pass(.seconds(60))
        #expect(scene.take().isEmpty && scene.machine.openRequests == 0 && scene.machine.nextDeadline == nil)
    }

    @Test func `a request without an instance is repeated within the grace, and then refused`() {
        var scene = Scene()
        scene.request(id)
        var attempts = 0
        while scene.machine.openRequests > 0 {
            for case .send(id, to: .group, attempt: 1) in scene.take() {
                attempts += 1
                scene.noInstance(for: id)
            }
            scene.pass(.milliseconds(10))
        }
        #expect((20...31).contains(attempts))
        #expect(scene.take() == [.end(id, .refused(.unavailable, attempts: 0))])
        #expect(scene.now <= .milliseconds(1510))
    }

    @Test func `an instance that comes within the grace gets the request`() {
        var scene = Scene()
        scene.request(id)
        _ = scene.take()
        scene.noInstance(for: id)
        scene.pass(.milliseconds(60))
        #expect(scene.take() == [.send(id, to: .group, attempt: 1)])
        scene.working(id, "detail-fetcher/a")
        scene.pass(.milliseconds(1400))
        #expect(scene.take().isEmpty)
    }

    @Test func `signs of work keep a request with its instance`() {
        var scene = Scene()
        scene.request(id)
        _ = scene.take()
        for _ in 0..<39 {
            scene.pass(.milliseconds(500))
            scene.working(id, "detail-fetcher/a")
        }
        #expect(scene.take().isEmpty)
        scene.pass(.seconds(1))
        #expect(scene.take().last == .end(id, .deadlinePassed))
    }

    @Test func `after silence another instance gets the request with the same id`() {
        var scene = Scene()
        scene.request(id)
        scene.pass(.milliseconds(100))
        scene.working(id, "detail-fetcher/a")
        scene.pass(.milliseconds(1500))
        #expect(scene.take() == [.send(id, to: .group, attempt: 1), .inquire(service: Self.service)])
        scene.instances(["detail-fetcher/a", "detail-fetcher/b"])
        #expect(scene.take() == [.send(id, to: .instance("detail-fetcher/b"), attempt: 2)])
    }

    @Test func `a suspect is avoided for five seconds, and gets a request when it alone answers`() {
        var scene = Scene()
        scene.request(id)
        scene.working(id, "detail-fetcher/a")
        scene.pass(.milliseconds(1500))
        scene.instances(["detail-fetcher/b"])
        _ = scene.take()
        let next = RequestID(query: 7, call: 2)
        scene.request(next)
        #expect(scene.take() == [.inquire(service: Self.service)])
        scene.instances(["detail-fetcher/a"])
        #expect(scene.take() == [.send(next, to: .instance("detail-fetcher/a"), attempt: 1)])
        let answers = [scene.machine.answered(id), scene.machine.answered(next)]
        #expect(answers == [true, true])
        scene.pass(.seconds(5))
        let last = RequestID(query: 7, call: 3)
        scene.request(last)
        #expect(scene.take() == [.send(last, to: .group, attempt: 1)])
    }

    @Test func `when nobody answers inquiries for the grace, the request is refused`() {
        var scene = Scene()
        scene.request(id)
        scene.pass(.milliseconds(1500))
        #expect(scene.take().last == .inquire(service: Self.service))
        scene.pass(.milliseconds(1700))
        let actions = scene.take()
        #expect(!actions.isEmpty && actions.allSatisfy { $0 == .inquire(service: Self.service) })
        scene.pass(.milliseconds(400))
        #expect(scene.take().last == .end(id, .refused(.unavailable, attempts: 1)))
    }

    @Test func `an instance that answers a later inquiry gets the request`() {
        var scene = Scene()
        scene.request(id)
        scene.pass(.milliseconds(2300))
        _ = scene.take()
        scene.instances(["detail-fetcher/a"])
        #expect(scene.take() == [.send(id, to: .instance("detail-fetcher/a"), attempt: 2)])
    }

    @Test func `a request is sent three times at most, and never after its deadline`() {
        var scene = Scene()
        scene.request(id)
        var actions = scene.take()
        while scene.machine.openRequests > 0 {
            scene.pass(.milliseconds(1500))
            scene.instances(["detail-fetcher/a"])
            actions += scene.take()
        }
        let sent = actions.filter { if case .send = $0 { true } else { false } }
        #expect(sent.count == 3 && actions.last == .end(id, .refused(.workerLost, attempts: 3)))

        let brief = RequestID(query: 7, call: 2)
        scene.request(brief, within: .seconds(2))
        scene.pass(.seconds(2))
        #expect(scene.take().last == .end(brief, .deadlinePassed))
        scene.request(RequestID(query: 7, call: 3), within: .zero)
        #expect(scene.take() == [.end(RequestID(query: 7, call: 3), .deadlinePassed)])
    }

    @Test func `a request that must not be repeated ends with the silence of its instance`() {
        var scene = Scene()
        scene.request(id, isIdempotent: false)
        scene.pass(.milliseconds(1500))
        #expect(scene.take().last == .end(id, .refused(.workerLost, attempts: 1)))
    }

    @Test func `an overloaded instance is passed over until all are overloaded`() {
        var scene = Scene()
        scene.request(id)
        scene.overloaded(id, "detail-fetcher/a")
        scene.instances(["detail-fetcher/a", "detail-fetcher/b"])
        scene.overloaded(id, "detail-fetcher/b")
        scene.instances(["detail-fetcher/a", "detail-fetcher/b"])
        #expect(
            scene.take() == [
                .send(id, to: .group, attempt: 1), .inquire(service: Self.service),
                .send(id, to: .instance("detail-fetcher/b"), attempt: 1), .inquire(service: Self.service),
                .end(id, .refused(.overloaded, attempts: 0)),
            ])
    }

    @Test func `a late refusal of an earlier instance changes nothing`() {
        var scene = Scene()
        scene.request(id)
        scene.pass(.milliseconds(1500))
        scene.instances(["detail-fetcher/b"])
        _ = scene.take()
        scene.overloaded(id, "detail-fetcher/a")
        scene.machine.refused(id, .expired, by: "detail-fetcher/a", at: scene.now, &scene.actions)
        #expect(scene.take().isEmpty && scene.machine.openRequests == 1)
    }

    @Test func `an overloaded instance that answers no inquiry is reported as overloaded`() {
        var scene = Scene()
        scene.request(id)
        scene.overloaded(id, "detail-fetcher/a")
        scene.pass(.milliseconds(300))
        #expect(scene.take().last == .end(id, .refused(.overloaded, attempts: 0)))
    }

    @Test func `after a silence without a sign the group is avoided, too`() {
        var scene = Scene()
        scene.request(id)
        scene.pass(.milliseconds(1500))
        _ = scene.take()
        let next = RequestID(query: 7, call: 2)
        scene.request(next, isIdempotent: false)
        #expect(scene.take() == [.inquire(service: Self.service)])
    }

    @Test func `a server that comes and goes does not give a request more attempts`() {
        var scene = Scene()
        scene.request(id)
        var sent = 0
        for _ in 0..<20 {
            sent += scene.take().count { if case .send = $0 { true } else { false } }
            scene.working(id, "detail-fetcher/a")
            scene.machine.disconnected(at: scene.now, &scene.actions)
            scene.machine.connected(at: scene.now, &scene.actions)
        }
        #expect(sent == 3)
    }

    @Test func `another refusal ends the request`() {
        var scene = Scene()
        scene.request(id)
        scene.machine.refused(id, .expired, by: "detail-fetcher/a", at: scene.now, &scene.actions)
        #expect(scene.take().last == .end(id, .refused(.expired, attempts: 1)))
    }

    @Test func `a chosen instance that has left is replaced`() {
        var scene = Scene()
        scene.request(id)
        scene.pass(.milliseconds(1500))
        scene.instances(["detail-fetcher/b"])
        scene.noInstance(for: id)
        #expect(
            scene.take().suffix(2) == [
                .send(id, to: .instance("detail-fetcher/b"), attempt: 2), .inquire(service: Self.service),
            ])
        scene.instances(["detail-fetcher/c"])
        #expect(scene.take() == [.send(id, to: .instance("detail-fetcher/c"), attempt: 2)])
    }

    @Test func `an instance that answers the inquiry and takes nothing is not asked again and again`() {
        var scene = Scene()
        scene.request(id)
        scene.overloaded(id, "detail-fetcher/2")
        _ = scene.take()
        scene.instances(["detail-fetcher/1"])
        #expect(scene.take() == [.send(id, to: .instance("detail-fetcher/1"), attempt: 1)])
        scene.machine.refused(id, .unavailable, by: "detail-fetcher/1", at: scene.now, &scene.actions)
        #expect(scene.take() == [.inquire(service: Self.service)])
        scene.instances(["detail-fetcher/1", "detail-fetcher/3"])
        #expect(scene.take() == [.send(id, to: .instance("detail-fetcher/3"), attempt: 1)])
        scene.noInstance(for: id)
        _ = scene.take()
        scene.instances(["detail-fetcher/1", "detail-fetcher/3"])
        #expect(scene.take().isEmpty, "it waits before it begins again")
        scene.pass(.milliseconds(50))
        #expect(scene.take() == [.send(id, to: .group, attempt: 1)])
    }

    @Test func `an answer that is handled after a pause of this process sends nothing after the deadline`() {
        var scene = Scene()
        scene.request(id, within: .seconds(1))
        scene.overloaded(id, "detail-fetcher/1")
        _ = scene.take()
        scene.now += .seconds(2)
        scene.instances(["detail-fetcher/2"])
        #expect(scene.take() == [.end(id, .deadlinePassed)])
    }

    @Test func `without a server requests wait, are repeated when it is back, and end after the grace`() {
        var scene = Scene(isConnected: false)
        scene.request(id)
        scene.pass(.milliseconds(1900))
        #expect(scene.take().isEmpty)
        scene.machine.connected(at: scene.now, &scene.actions)
        #expect(scene.take() == [.send(id, to: .group, attempt: 1)])
        scene.machine.disconnected(at: scene.now, &scene.actions)
        scene.pass(.seconds(1))
        scene.machine.connected(at: scene.now, &scene.actions)
        #expect(scene.take() == [.send(id, to: .group, attempt: 1)])
        scene.machine.disconnected(at: scene.now, &scene.actions)
        scene.pass(.seconds(2))
        #expect(scene.take() == [.end(id, .serverLost)])
    }

    @Test func `a request that must not be repeated ends with the connection, unless it was not sent`() {
        var scene = Scene()
        scene.request(id, isIdempotent: false)
        scene.machine.disconnected(at: scene.now, &scene.actions)
        #expect(scene.take().last == .end(id, .serverLost))
        let waiting = RequestID(query: 7, call: 2)
        scene.request(waiting, isIdempotent: false)
        scene.machine.connected(at: scene.now, &scene.actions)
        #expect(scene.take() == [.send(waiting, to: .group, attempt: 1)])
    }

    @Test func `a cancelled request is cancelled where it is worked on, and gets no ending`() {
        var scene = Scene()
        scene.request(id)
        scene.working(id, "detail-fetcher/a")
        scene.machine.cancelled(id, &scene.actions)
        #expect(scene.take().last == .cancel(id, at: .instance("detail-fetcher/a")))
        scene.machine.cancelled(id, &scene.actions)
        scene.pass(.seconds(60))
        #expect(scene.take().isEmpty)
    }

    /// Any order of what may happen: each request that is not answered or cancelled ends exactly once, in time.
    @Test(arguments: 0..<200)
    func `every request ends exactly once`(seed: UInt64) {
        var dice = SplitMix(state: seed)
        var scene = Scene(isConnected: dice.next(2) == 0)
        var open: [RequestID: Duration] = [:]
        for step in 0..<300 {
            let known = open.keys.sorted { $0.call < $1.call }
            let some = known.isEmpty ? RequestID(query: 9, call: 9) : known[dice.next(known.count)]
            let instance = "detail-fetcher/\(dice.next(3))"
            switch dice.next(9) {
            case 0...1:
                let new = RequestID(query: 1, call: UInt64(step))
                open[new] = scene.now + .milliseconds(100 * (1 + dice.next(90)))
                scene.machine.requested(
                    new, service: Self.service, isIdempotent: dice.next(3) > 0, deadline: open[new] ?? .zero,
                    at: scene.now, &scene.actions)
            case 2: if scene.machine.answered(some) { open[some] = nil }
            case 3: scene.noInstance(for: some)
            case 4: scene.working(some, instance)
            case 5: scene.overloaded(some, instance)
            case 6: scene.instances((0..<dice.next(4)).map { "detail-fetcher/\($0)" })
            case 7:
                if dice.next(2) == 0 {
                    scene.machine.connected(at: scene.now, &scene.actions)
                } else {
                    scene.machine.disconnected(at: scene.now, &scene.actions)
                }
            default: scene.pass(.milliseconds(dice.next(900)))
            }
            check(scene.take(), &open)
        }
        scene.pass(.seconds(20))
        check(scene.take(), &open)
        #expect(open.isEmpty && scene.machine.openRequests == 0)
    }

    private func check(_ actions: [Machine.Action], _ open: inout [RequestID: Duration]) {
        for action in actions {
            switch action {
            case .send(let id, _, let attempt): #expect(open[id] != nil && (1...3).contains(attempt))
            case .end(let id, _): #expect(open.removeValue(forKey: id) != nil)
            case .inquire, .cancel: break
            }
        }
    }
}

private struct SplitMix {
    var state: UInt64

    mutating func next(_ count: Int) -> Int {
        state &+= 0x9e37_79b9_7f4a_7c15
        var number = state
        number = (number ^ (number >> 30)) &* 0xbf58_476d_1ce4_e5b9
        number = (number ^ (number >> 27)) &* 0x94d0_49bb_1331_11eb
        return Int((number ^ (number >> 31)) % UInt64(count))
    }
}
