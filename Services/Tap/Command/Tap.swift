import ArgumentParser
import Envelope
import MessageBus
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
struct TapCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tap",
        abstract: "Prints the event stream of a stack, one line an event.",
        discussion: """
            EXAMPLES
              tap                       what happens from now on, until Ctrl-C
              tap --json --count 100    one JSON object a line
              tap --last 50 --no-follow what has just happened
            """)

    @Option(help: "The broker's endpoint; default: $BOXOFFICE_BROKER, else the run folder's.")
    var broker: String?
    @Flag(help: "One JSON object a line.")
    var json = false
    @Option(help: "End after so many events.")
    var count: Int?
    @Option(help: "Begin with up to so many past events.")
    var last = 0
    @Flag(help: "End after the past events.")
    var noFollow = false

    func validate() throws {
        guard count.map({ $0 > 0 }) ?? true, last >= 0 else {
            throw ValidationError("--count takes 1 or more, --last 0 or more.")
        }
    }

    func run() async {
        signal(SIGPIPE, SIG_IGN)
        await ServiceProcess.main {
            let configuration = try BusConfiguration.find(broker, .process, instance: "tap/\(getpid())")
            do {
                try await withMessageBus(configuration) { bus in
                    try await Tap(bus: bus, isJSON: json).run(
                        last: last, isFollowing: !noFollow, count: count, LineOutput.write)
                }
            } catch let failure as Failure {
                throw StartupError(
                    "tap: \(failure.message.en)\ntap: \(failure.message.ko)", exitStatus: ExitStatus.unavailable)
            }
            return ExitStatus.complete
        }
    }
}
