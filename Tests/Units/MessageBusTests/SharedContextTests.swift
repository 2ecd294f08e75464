import Envelope
import Majordomo
import ProcessKit
import TestSupport
import Testing
import ZeroMQ

@testable import BrokerCore
@testable import MajordomoBus
@testable import MessageBus

/// Broker, worker and client on one poll loop over inproc, without system calls for messages.
@Suite(.timeLimit(.minutes(1))) struct SharedContextTests {
    private let endpoints = BrokerEndpoints(
        requests: "inproc://requests", eventsIn: "inproc://events-in", events: "inproc://events")

    @Test func `a request and its events pass over inproc`() async throws {
        try await withContext { context in
            let broker = try Broker(
                context: context, timing: MajordomoTiming(), epoch: 1, clock: .system, maxConnections: 100)
            try await broker.bind(endpoints)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await broker.run() }
                group.addTask {
                    try await bus("echo/1", in: context).run { bus in
                        try await bus.worker(BusWorkerOptions(service: "echo", capacity: 4)).serve { request in
                            Envelope(header: request.envelope.header, payload: request.envelope.payload)
                        }
                    }
                }
                let (answer, kinds) = try await bus("client/1", in: context).run { bus in
                    try await bus.awaitService("echo")
                    let answer = try await bus.ask("echo", "안녕")
                    let stream = try await bus.subscribe(last: 100)
                    var kinds: [String] = []
                    while let (event, _) = await stream.nextPastEvent() { kinds.append(event.event.kind) }
                    await stream.close()
                    return (answer, kinds)
                }
                group.cancelAll()
                #expect(answer == "안녕")
                #expect(
                    kinds.filter { $0 != "broker.tap_joined" }.suffix(3) == [
                        "broker.queued", "broker.dispatched", "broker.answered",
                    ])
            }
            await broker.close()
        }
    }

    private func bus(_ instance: String, in context: Context) -> MessageBus {
        let broker = MajordomoConfiguration(endpoints: endpoints)
        let configuration = BusConfiguration(broker, instance: instance)
        return MessageBus(MajordomoTransport(broker, of: configuration, context: context), instance: instance)
    }
}
