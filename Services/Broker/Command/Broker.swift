import ArgumentParser
import BrokerCore
import ServiceKit

@main
struct BrokerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "broker",
        abstract: "Passes requests, replies and events between the services of a stack.",
        discussion: """
            Its sockets lie in the run folder: $BOXOFFICE_RUN, else $XDG_RUNTIME_DIR/boxoffice, else \
            /tmp/boxoffice-UID. TERM stops it.
            """)

    func run() async {
        await ServiceProcess.main {
            let process = ServiceProcess(name: "broker")
            try await runBroker(in: RunFolder(process.environment), process)
            return ExitStatus.complete
        }
    }
}
