import ArgumentParser
import Envelope
import MessageBus

/// Measures the bus with a real broker; workers, clients, talkers and taps are separate processes.
@main
struct BusBench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bus-bench", abstract: "Round trips and throughput through the broker of the run folder.",
        subcommands: [Worker.self, Client.self, Talker.self, Taps.self, CacheClient.self])

    static let service = "bench.echo"
}
