import ProcessKit
import ServiceKit
import TapCore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

@main
enum TapProgram {
    static func main() async {
        // A reader that ends early is not an error: the write reports it.
        signal(SIGPIPE, SIG_IGN)
        await ServiceProcess.main {
            try await TapCommand.run(
                Array(CommandLine.arguments.dropFirst()), .process, instance: InstanceName.unique("tap"))
        }
    }
}
