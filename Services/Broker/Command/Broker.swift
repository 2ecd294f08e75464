import AcceptBound
import ArgumentParser
import BrokerCore
import ProcessKit
import ServiceKit

@main
struct BrokerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "broker",
        abstract: "Passes requests, replies and events between the services of a stack.",
        subcommands: [Run.self, Keygen.self], defaultSubcommand: Run.self)
}

struct Run: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Runs the broker until TERM.",
        discussion: """
            Its sockets lie in the run folder: $BOXOFFICE_RUN, else $XDG_RUNTIME_DIR/boxoffice, else \
            /tmp/boxoffice-UID. With --bind it is reached from other machines too, by clients whose keys are listed.
            """)

    @Option(help: "An address on the network, tcp://HOST:PORT; the two ports after it carry events.")
    var bind: String?
    @Option(help: "The folder of the keys; default: $BOXOFFICE_KEYS, else ~/.config/boxoffice/keys.")
    var keys: String?
    @Flag(help: "Speak clear text on the network, with anyone who connects.")
    var insecure = false

    func validate() throws {
        guard bind != nil || (keys == nil && !insecure) else {
            throw ValidationError("--keys and --insecure are about the network: give --bind too.")
        }
        guard keys == nil || !insecure else { throw ValidationError("Give --keys or --insecure, not both.") }
    }

    func run() async {
        await ServiceProcess.main { environment in
            // A backstop at 1.5 times the limit: normally the broker's loop ends surplus connections before.
            accept_below(Int32(BrokerService.usualMaxConnections / 2 * 3))
            let process = try ServiceProcess(name: "broker", environment: environment)
            let network = try bind.map { address in
                let keys = try insecure ? nil : KeyFolder(keys, process.environment)
                return try NetworkListener(at: address, keys: keys, logger: process.logger)
            }
            try await runBroker(in: RunFolder(process.environment), network: network, process)
            return ExitStatus.complete
        }
    }
}

struct Keygen: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keygen",
        abstract: "Makes keys for a broker on the network, or for one of its clients.",
        discussion: """
            Each file holds one key: one line of 40 characters of Z85. Secret keys end in .key, public ones in .pub. \
            The broker lets in whose public key lies in the folder's clients/.
            """)

    @Option(help: "Make the keys of the client of this name instead of the broker's.")
    var client: String?
    @Option(help: "The folder of the keys; default: $BOXOFFICE_KEYS, else ~/.config/boxoffice/keys.")
    var folder: String?

    func run() async {
        await ServiceProcess.main { environment in
            let folder = try KeyFolder(folder, environment)
            let instructions = try client.map { try folder.makeClientKeys(named: $0) } ?? folder.makeServerKeys()
            _ = try LineOutput.write(instructions)
            return ExitStatus.complete
        }
    }
}
