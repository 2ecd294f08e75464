import ArgumentParser
import MessageBus
import ProcessKit
import ServiceKit

struct Worker: AsyncParsableCommand {
    func run() async {
        await ServiceProcess.main { environment in
            try await ServiceProcess(name: "bench-worker", environment: environment).run(ServiceOptions.parse([])) {
                bus in
                [EchoService(bus: bus)]
            }
            return ExitStatus.complete
        }
    }
}
