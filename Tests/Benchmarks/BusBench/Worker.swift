import ArgumentParser
import MessageBus
import ServiceKit

struct Worker: AsyncParsableCommand {
    func run() async {
        await ServiceProcess.main {
            try await ServiceProcess(name: "bench-worker").run(broker: nil) { bus in
                [EchoService(bus: bus)]
            }
            return ExitStatus.complete
        }
    }
}
