import AcceptBound
import ArgumentParser
import BrokerCore
import BusSettings
import Contracts
import ProcessKit
import ServiceKit

@main
struct BrokerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: Installation.program("broker"),
        abstract: "Route requests, replies and events between the services of a stack.",
        subcommands: [Run.self, Keygen.self, NATSConfig.self], defaultSubcommand: Run.self)
}

struct Run: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Run the broker until TERM.",
        discussion: """
            Its sockets lie in the run directory: $BOXOFFICE_RUN, else $XDG_RUNTIME_DIR/boxoffice, else \
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
        abstract: "Generate keys for a broker on the network or one of its clients.",
        discussion: """
            Each file holds one key: one line of 40 characters of Z85, and with --nats a line with the public key and a \
            line with the seed. Secret keys end in .key, public ones in .pub. \
            The folder of a public key is its role: clients/ ask, workers/SERVICE/ register that service and store what \
            they fetch, operators/ also remove and pin.
            """)

    @Option(help: "Make the keys of a client instead of the broker's: a gateway, a page.")
    var client: String?
    @Option(help: "Make the keys of a worker of a service, SERVICE/NAME.")
    var worker: String?
    @Option(help: "Make the keys of an operator, who may do everything.")
    var `operator`: String?
    @Flag(help: "Make keys for servers of NATS instead of the broker; nats-config lists them there.")
    var nats = false
    @Option(help: "The folder of the keys; default: $BOXOFFICE_KEYS, else ~/.config/boxoffice/keys.")
    var folder: String?

    func validate() throws {
        guard [client, worker, `operator`].compactMap(\.self).count <= 1 else {
            throw ValidationError("Give one of --client, --worker and --operator.")
        }
        guard !nats || client != nil || worker != nil || `operator` != nil else {
            throw ValidationError(
                "--nats makes the keys of a program: give --client, --worker or --operator too. The servers of NATS have "
                    + "certificates instead.")
        }
    }

    private func instructions(_ folder: KeyFolder) throws -> String {
        if let client { return try folder.makeKeys(of: .client, named: client) }
        if let `operator` { return try folder.makeKeys(of: .stackOperator, named: `operator`) }
        guard let worker else { return try folder.makeServerKeys() }
        let (service, name) = (worker.prefix { $0 != "/" }, worker.drop { $0 != "/" }.dropFirst())
        return try folder.makeKeys(of: .worker, named: String(name), service: String(service))
    }

    func run() async {
        await ServiceProcess.main { environment in
            let folder = try KeyFolder(folder, environment, kind: nats ? .nats : .curve)
            let instructions = try instructions(folder)
            _ = try LineOutput.write(instructions)
            return ExitStatus.complete
        }
    }
}

struct NATSConfig: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "nats-config",
        abstract: "Print the keys and permissions section of a nats-server configuration.",
        discussion: """
            It names the keys that \(Installation.program("broker")) keygen --nats has made, and what each may do; the servers admit no others. \
            Write it to a file that the configuration of each server includes, and let the servers reload it: \
            nats-server --signal reload.
            """)

    @Option(help: "The folder of the keys; default: $BOXOFFICE_KEYS, else ~/.config/boxoffice/keys.")
    var keys: String?
    @Option(help: "The server's certificate (PEM): the servers accept encrypted connections only.")
    var certificate: String?
    @Option(help: "The secret key of the certificate (PEM).")
    var certificateKey: String?

    @Flag(help: "Print only the users, for an account of your own.")
    var users = false

    func validate() throws {
        guard (certificate == nil) == (certificateKey == nil) else {
            throw ValidationError("Give --certificate and --certificate-key together.")
        }
        guard !users || certificate == nil else {
            throw ValidationError("--users and --certificate cannot be used together.")
        }
    }

    func run() async {
        await ServiceProcess.main { environment in
            let folder = try KeyFolder(keys, environment, kind: .nats)
            var files: NATSServerConfiguration.Certificate?
            if let certificate, let certificateKey {
                files = NATSServerConfiguration.Certificate(file: certificate, keyFile: certificateKey)
            }
            let configuration = try NATSServerConfiguration(folder, certificate: files)
            _ = try LineOutput.write(users ? configuration.usersText : configuration.text)
            return ExitStatus.complete
        }
    }
}
