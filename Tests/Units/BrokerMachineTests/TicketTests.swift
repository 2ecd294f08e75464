import MessageBus
import Testing

@testable import BrokerMachine
@testable import Majordomo

@Suite struct TicketTests {
    let scene = BrokerScene(epoch: 7)

    enum Forgery: CaseIterable {
        case otherEpoch, unknownEntry, earlierAttempt, laterAttempt, addressOfAnotherBroker, empty

        func ticket(from genuine: Frame) -> Frame? {
            guard var ticket = Ticket(genuine) else { return nil }
            switch self {
            case .otherEpoch: ticket.epoch = 6
            case .unknownEntry: ticket.entry += 1
            case .earlierAttempt: ticket.attempt -= 1
            case .laterAttempt: ticket.attempt += 1
            case .addressOfAnotherBroker: return [0, 0x6b, 0x8b, 0x45, 0x67]
            case .empty: return []
            }
            return ticket.encoded
        }
    }

    @Test(arguments: Forgery.allCases)
    func `a reply without a valid ticket is dropped and counted`(_ forgery: Forgery) throws {
        scene.join("worker")
        scene.ask()
        let genuine = try #require(scene.dispatches(to: "worker").first)
        let ticket = try #require(forgery.ticket(from: genuine.ticket))
        scene.say(.final(ticket: ticket, body: [Frame(text: "stale")]), as: "worker")
        scene.say(.partial(ticket: ticket, body: [Frame(text: "stale")]), as: "worker")
        #expect(scene.answers().isEmpty)
        #expect(scene.count(of: .staleTicket) == 2)
        scene.finish(genuine, as: "worker")
        #expect(scene.answers().map(\.content) == [[Frame(text: "done")]])
    }

    @Test func `a ticket is valid only for its own worker`() throws {
        scene.join("worker")
        scene.join("thief")
        scene.ask()
        let genuine = try #require(scene.dispatches(to: "worker").first)
        scene.finish(genuine, as: "thief")
        #expect(scene.answers().isEmpty)
        #expect(scene.count(of: .staleTicket) == 1)
    }

    @Test func `a ticket is valid once`() throws {
        scene.join("worker")
        scene.ask()
        let genuine = try #require(scene.dispatches(to: "worker").first)
        scene.finish(genuine, as: "worker")
        scene.finish(genuine, as: "worker")
        #expect(scene.answers().count == 1)
        #expect(scene.count(of: .staleTicket) == 1)
    }

    @Test func `a worker that registers again cannot use its earlier ticket`() throws {
        scene.join("worker")
        scene.ask()
        let before = try #require(scene.dispatches(to: "worker").first)
        scene.say(.disconnect(extra: []), as: "worker")
        scene.join("worker")
        let after = try #require(scene.dispatches(to: "worker").first)
        scene.ask(call: 2)
        scene.finish(before, as: "worker")
        #expect(scene.answers().isEmpty)
        #expect(scene.dispatches(to: "worker").isEmpty, "it is still busy with the later one")
        scene.finish(after, as: "worker")
        #expect(scene.answers().count == 1)
        #expect(scene.count(of: .staleTicket) == 1)
    }

    @Test func `an earlier attempt of an expired request does not free the worker`() throws {
        scene.join("worker")
        scene.ask(call: 1, within: .seconds(1))
        let before = try #require(scene.dispatches(to: "worker").first)
        scene.say(.disconnect(extra: []), as: "worker")
        scene.join("worker")
        let after = try #require(scene.dispatches(to: "worker").first)
        scene.advance(by: .seconds(1))
        scene.ask(call: 2)
        scene.finish(before, as: "worker")
        #expect(scene.dispatches(to: "worker").isEmpty, "it is still busy with the later one")
        scene.finish(after, as: "worker")
        #expect(scene.dispatches(to: "worker").map(\.call) == [2])
    }

    @Test func `a reply after the deadline is dropped`() throws {
        scene.join("worker")
        scene.ask(within: .seconds(1))
        let dispatch = try #require(scene.dispatches(to: "worker").first)
        scene.advance(by: .seconds(1))
        scene.finish(dispatch, as: "worker")
        #expect(scene.answers().map(\.refusal) == [.expired])
        #expect(scene.count(of: .staleTicket) == 1)
    }

    @Test func `a repeated request is the same entry`() throws {
        scene.join("worker", capacity: 2)
        scene.ask(call: 1)
        scene.ask(call: 1)
        let dispatches = scene.dispatches(to: "worker")
        #expect(dispatches.count == 1)
        #expect(scene.count(of: .duplicate) == 1)
        scene.finish(try #require(dispatches.first), as: "worker")
        #expect(scene.answers().count == 1)
    }

    @Test func `a repeated request is the same entry while it waits`() {
        scene.ask(call: 1)
        scene.ask(call: 1)
        scene.join("worker", capacity: 2)
        #expect(scene.dispatches(to: "worker").count == 1)
        #expect(scene.count(of: .duplicate) == 1)
    }

    @Test func `a request of another client with the same id is another request`() {
        scene.join("worker", capacity: 2)
        scene.ask(call: 1, by: "one")
        scene.ask(call: 1, by: "two")
        #expect(scene.dispatches(to: "worker").count == 2)
        #expect(scene.count(of: .duplicate) == 0)
    }

    @Test func `two answers go to their own clients`() throws {
        scene.join("worker", capacity: 2)
        scene.ask(call: 1, by: "one")
        scene.ask(call: 2, by: "two")
        for dispatch in scene.dispatches(to: "worker").reversed() {
            scene.finish(dispatch, as: "worker", content: [Frame(text: "for \(dispatch.call ?? 0)")])
        }
        #expect(scene.answers(to: "one").map(\.content) == [[Frame(text: "for 1")]])
        #expect(scene.answers(to: "two").map(\.content) == [[Frame(text: "for 2")]])
    }
}

extension Ticket {
    fileprivate var encoded: Frame {
        var frame: Frame = []
        withBytes { frame = Frame($0) }
        return frame
    }
}
