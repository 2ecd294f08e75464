import GatewayCore
import ProcessKit
import ServiceKit

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

@main
enum Gateway {
    static func main() async {
        // A reader that ends early is not an error: the write reports it.
        signal(SIGPIPE, SIG_IGN)
        await ServiceProcess.main {
            let words = Array(CommandLine.arguments.dropFirst())
            try InstalledProgram.replaceProcess(words)
            let context = CommandContext(.process, instance: InstanceName.unique("gateway"))
            let answer = await GatewayCommand.answer(words, in: context)
            try answer.print()
            return answer.exitStatus
        }
    }
}
