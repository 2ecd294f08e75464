import BusSettings
import Majordomo
import MessageBus
import ProcessKit
import ServiceKit
import Testing

@Suite struct BrokerEndpointsTests {
    @Test(
        arguments: [
            (
                "ipc:///run/box/broker.ipc",
                BrokerEndpoints(
                    requests: "ipc:///run/box/broker.ipc", eventsIn: "ipc:///run/box/events-in.ipc",
                    events: "ipc:///run/box/events.ipc")
            ),
            (
                "tcp://127.0.0.1:5555",
                BrokerEndpoints(
                    requests: "tcp://127.0.0.1:5555", eventsIn: "tcp://127.0.0.1:5556", events: "tcp://127.0.0.1:5557")
            ),
            (
                "tcp://[::1]:65533",
                BrokerEndpoints(
                    requests: "tcp://[::1]:65533", eventsIn: "tcp://[::1]:65534", events: "tcp://[::1]:65535")
            ),
        ])
    func `the endpoints of a broker are adjacent`(broker: String, endpoints: BrokerEndpoints) throws {
        #expect(try BrokerEndpoints(broker: broker) == endpoints)
    }

    @Test(arguments: [
        "", "broker", "/run/box/broker.ipc", "ipc:///run/box", "ipc:///run/box/other.ipc", "ipc://broker.ipc",
        "ipc://box/broker.ipc", "tcp://127.0.0.1", "tcp://127.0.0.1:", "tcp://127.0.0.1:0", "tcp://127.0.0.1:65534",
        "tcp://127.0.0.1:65536", "tcp://127.0.0.1:+5555", "tcp://127.0.0.1:-1", "tcp://:5555", "tcp://5555",
        "tcp://host:5555/", "tcp://host:5555 ", "http://127.0.0.1:5555", "inproc://broker",
    ])
    func `an invalid endpoint is refused by name, with the valid forms`(broker: String) throws {
        let error = try #require(throws: StartupError.self) { try BrokerEndpoints(broker: broker) }
        #expect(error.description.contains("'\(broker)'"))
        #expect(error.description.contains("ipc:///FOLDER/broker.ipc"))
        #expect(error.exitStatus == 64)
    }

    @Test func `a given socket path has a maximum length`() throws {
        // "/events-in.ipc" has 14 bytes of the 103.
        let most = "/" + String(repeating: "a", count: 88)
        #expect(try BrokerEndpoints(broker: "ipc://\(most)/broker.ipc").events == "ipc://\(most)/events.ipc")
        let error = try #require(throws: StartupError.self) {
            try BrokerEndpoints(broker: "ipc://\(most)b/broker.ipc")
        }
        #expect(error.description.contains("\(most)b/events-in.ipc"))
    }
}
