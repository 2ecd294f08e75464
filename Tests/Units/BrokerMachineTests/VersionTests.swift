import BrokerMachine
import Majordomo
import MessageBus
import Testing

/// Clients and workers of both versions at one broker.
@Suite struct VersionTests {
    let scene = BrokerScene()
    private static let hello = Frame(text: "hello")
    private static let bye = Frame(text: "bye")

    @Test(arguments: MajordomoVersion.allCases, MajordomoVersion.allCases)
    func `a client and a worker of any versions work together`(
        _ client: MajordomoVersion, _ worker: MajordomoVersion
    ) throws {
        scene.joinPlainly("worker", "echo", worker)
        scene.askPlainly("echo", body: [Self.hello, []], client)
        let frames = try #require(scene.taken(by: "worker").first)
        let start: [Frame] = worker == .v01 ? [[], Frame(text: "MDPW01"), [2]] : [Frame(text: "MDPW02"), [2]]
        #expect(Array(frames.prefix(start.count)) == start)
        let ticket = frames[start.count]
        #expect(Array(frames.dropFirst(start.count + 1)) == [[], Self.hello, []])

        scene.say(.final(ticket: ticket, body: [Self.bye]), as: "worker", worker)
        let head: [Frame] = client == .v01 ? [[], Frame(text: "MDPC01")] : [Frame(text: "MDPC02"), [3]]
        #expect(scene.taken(by: "client") == [head + [Frame(text: "echo"), Self.bye]])
    }

    @Test func `a PARTIAL goes to a client of 0.2`() throws {
        scene.join("worker")
        scene.askPlainly("echo", .v02)
        let dispatch = try #require(scene.dispatches(to: "worker").first)
        scene.finishPartly(dispatch, as: "worker")
        scene.finishPartly(dispatch, as: "worker")
        scene.finish(dispatch, as: "worker")
        let service = Frame(text: "echo")
        let part = [Frame(text: "MDPC02"), [2], service, Frame(text: "part")]
        #expect(scene.taken(by: "client") == [part, part, [Frame(text: "MDPC02"), [3], service, Frame(text: "done")]])
    }

    @Test func `a client of 0.1 gets only the final reply`() throws {
        scene.join("worker")
        scene.askPlainly("echo", .v01)
        let dispatch = try #require(scene.dispatches(to: "worker").first)
        scene.finishPartly(dispatch, as: "worker")
        scene.finish(dispatch, as: "worker")
        #expect(scene.taken(by: "client") == [[[], Frame(text: "MDPC01"), Frame(text: "echo"), Frame(text: "done")]])
    }

    @Test(arguments: MajordomoVersion.allCases)
    func `a worker gets messages of its own version`(_ version: MajordomoVersion) {
        let header: [Frame] = version == .v01 ? [[], Frame(text: "MDPW01")] : [Frame(text: "MDPW02")]
        scene.joinPlainly("worker", "echo", version)
        #expect(scene.taken(by: "worker").isEmpty, "there is no response to a plain READY")
        scene.advance(by: .milliseconds(2500))
        #expect(scene.taken(by: "worker") == [header + [version == .v01 ? [4] : [5]]])
        scene.joinPlainly("worker", "echo", version)
        #expect(scene.taken(by: "worker") == [header + [version == .v01 ? [5] : [6]]])
    }

    @Test func `a message that is not Majordomo is only counted`() {
        scene.join("worker")
        _ = scene.taken(by: "worker")
        scene.receive([Frame(text: "GET / HTTP/1.1")], from: "browser")
        scene.receive([], from: "browser")
        #expect(scene.count(of: .malformed) == 2)
        #expect(scene.taken(by: "browser").isEmpty)
        #expect(scene.taken(by: "worker").isEmpty)
    }
}
