import ArgumentParser
import Envelope
import EventLog
import Localization
import MessageBus
import ProcessKit
import ServiceKit
import TapCore
import TerminalText

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
        abstract: "Shows the event stream of a stack: events, exchanges, a query, or figures.",
        discussion: """
            EXAMPLES
              tap                                  what happens from now on, until Ctrl-C
              tap --match --service detail-fetcher each request with its answer and its time
              tap --kind 'chart.*' --kind 'movie.*' --exclude '*.answered'
              tap --query 5aefbff7                 a whole conversation as a tree
              tap --stats                          rates, errors, times, cache hits, shares: a live table
              tap --since 5m --no-follow --json    the last five minutes, one JSON object a line
              tap --record events.ndjson --for 1m
            """,
        version: ProductVersion.current)

    @OptionGroup(title: "What to show") var display: DisplayOptions
    @OptionGroup(title: "From when, and how long") var span: SpanOptions

    @Option(help: ArgumentHelp("Append every event to a file, shown or not.", valueName: "file"))
    var record: String?
    @Option(help: "The broker's endpoint; default: $BOXOFFICE_BROKER, else the run folder's.")
    var broker: String?
    @Flag(help: "No colour.")
    var noColor = false

    func validate() throws {
        let isTree = display.query != nil && !display.match && !display.stats
        guard !(isTree || display.stats) || span.count == nil else {
            throw ValidationError(
                "--count counts lines of events or of --match; --stats and --query end by --for or --idle.")
        }
        guard !isTree || (span.last ?? 0) == 0 else {
            throw ValidationError("A query is shown as a whole: --query takes --last only with --match or --stats.")
        }
        guard !span.noFollow || (span.duration == nil && span.idle == nil) else {
            throw ValidationError("--no-follow ends at once: leave --for and --idle out.")
        }
    }

    func run() async {
        signal(SIGPIPE, SIG_IGN)
        await ServiceProcess.main { environment in
            let configuration = try BusConfiguration.find(broker, environment, instance: "tap/\(getpid())")
            let recorder = try record.map(EventRecorder.init)
            let request = try span.request(isWholePast: display.query != nil, now: WallClock.system.microseconds)
            let terminal = Terminal(isColourUnwanted: noColor, environment)
            do {
                let (_, signalStatus) = try await withSignalCancellation {
                    try await withMessageBus(configuration) { bus in
                        var view = display.view(terminal)
                        try await Tap(bus: bus, record: recorder?.keep).run(
                            request, &view, hasReader: { LineOutput.hasReader }, LineOutput.write)
                    }
                }
                return signalStatus ?? ExitStatus.complete
            } catch let failure as Failure {
                throw StartupError(
                    "tap: \(failure.message.en)\ntap: \(failure.message.ko)",
                    exitStatus: failure.code == .unknownQuery ? ExitStatus.noInput : ExitStatus.unavailable)
            }
        }
    }
}
