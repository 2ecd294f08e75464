import Envelope
import ZeroMQ

/// Forwards the event stream of a broker, one event per message, without the events of one kind.
struct EventRelay {
    private let source: Socket
    private let target: Socket

    init(from broker: String, to endpoint: String, in context: Context) async throws {
        var options = SocketOptions()
        options.subscriptions = [[]]
        source = try Socket(.subscriber, in: context, options: options)
        target = try Socket(.publisher, in: context)
        try await source.connect(broker)
        try await target.bind(endpoint)
    }

    func run(dropping kind: String) async throws {
        while let message = try await source.receive() {
            guard let first = message.first.flatMap(EventStamp.init) else { continue }
            for (offset, event) in message.dropFirst().enumerated()
            where try JSONBytes.decode(Event.self, from: event).kind != kind {
                let stamp = EventStamp(epoch: first.epoch, sequence: first.sequence + UInt64(offset))
                _ = try await target.send([stamp.encoded, event])
            }
        }
    }

    func close() async {
        await source.close()
        await target.close()
    }
}
