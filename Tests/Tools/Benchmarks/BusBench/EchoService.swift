import Envelope
import MessageBus
import ServiceLifecycle

/// Sends every payload back, without the other parts of a service.
struct EchoService: Service {
    let bus: MessageBus

    func run() async throws {
        let worker = bus.worker(BusWorkerOptions(service: BusBench.service, capacity: 128, runsOnLoop: true))
        try await withGracefulShutdownHandler {
            try await worker.serve { Envelope(header: $0.envelope.header, payload: $0.envelope.payload) }
        } onGracefulShutdown: {
            worker.drain()
        }
    }
}
