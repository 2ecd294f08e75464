import ArgumentParser
import Assembly
import Envelope
import GatewayCore
import Localization
import MessageBus
import ProcessKit
import ServiceKit
import TerminalText

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The options of all commands that query the stack, and how they run.
struct CommonOptions: ParsableArguments {
    @Option(
        help: .words(
            "브로커 주소. 기본값: $BOXOFFICE_BROKER나 실행 폴더.",
            "The broker's endpoint; default: $BOXOFFICE_BROKER, else the run folder's."))
    var broker: String?

    @Option(
        help: .words(
            "기다릴 초, 0.1~60. 온 것까지 보임.",
            "Seconds until the answer is printed with what has arrived, 0.1 to 60."))
    var timeout = 5.0

    @Flag(
        help: .words(
            "JSON으로: 바뀌지 않는 형식, 부분마다 상태와 함께.",
            "Print JSON: a stable contract, with the status of each part."))
    var json = false

    @OptionGroup var language: LanguageOption

    @Flag(help: .words("색 없이.", "No colour."))
    var noColor = false

    @Flag(
        help: .words(
            "파이프로 나갈 때와 같은 글: 색도 터미널 너비도 없이.",
            "Text as a pipe gets it: no colour, and no regard for the width of a terminal."))
    var plain = false

    @Flag(
        name: .shortAndLong,
        help: .words(
            "누가 무엇을 얼마나 빨리 답했는지 stderr로 알림.", "Say on stderr who answered what, and how fast."))
    var verbose = false

    func validate() throws {
        guard (0.1...60).contains(timeout) else {
            throw ValidationError.usage("--timeout은 0.1초부터 60초까지입니다.", "--timeout takes 0.1 to 60 seconds.")
        }
    }

    /// Runs the command, prints the answer and ends the process.
    ///
    /// - Parameters:
    ///   - policy: of a film query; nil for a query whose answer is not stored.
    ///   - format: the form of films; nil for a command with text and JSON only.
    ///   - view: how text shows a chart.
    func answer(
        _ policy: PolicyOptions? = nil, format: FormatOptions? = nil, view: ChartView = .list,
        _ body: @escaping @Sendable (GatewayCommands) async throws -> Answer
    ) async {
        await ServiceProcess.main { environment in
            var presentation = try presentation(environment, width: TextWidth(environment))
            presentation.isStrict = policy?.strict ?? false
            presentation.view = view
            presentation.isRaw = format?.raw ?? false
            presentation.format = try format?.answerFormat(isJSON: json) ?? presentation.format
            let configuration = try BusConfiguration.find(broker, environment, instance: "gateway/\(getpid())")
            let answerPolicy = try policy?.policy(environment) ?? AnswerPolicy()
            let progress = QueryProgress()
            let deadline = ContinuousClock.now + .seconds(timeout)
            let (answer, signalStatus) = try await withMessageBus(configuration) { bus in
                let commands = GatewayCommands(
                    bus: bus, presentation: presentation, deadline: deadline, policy: answerPolicy, progress: progress)
                // Inside the bus's scope, which can still cancel the requests at the broker.
                return try await cancelledBySignals { [presentation] in
                    // Cancelled and awaited at the end of this scope, even during its initial delay.
                    async let _: Void = show(progress, presentation, environment)
                    var answer = try await answerOrFailure(commands, presentation, body)
                    if format?.explain == true { answer = commands.explained(answer) }
                    if verbose { answer = commands.annotated(answer) }
                    return answer
                }
            }
            if let signalStatus {
                try presentation.interruption(signalStatus).print()
                return signalStatus
            }
            guard let answer else { return ExitStatus.software }
            try presentation.sanitized(answer).print()
            return answer.exitStatus
        }
    }

    func presentation(_ environment: Environment, width: TextWidth) -> Presentation {
        let terminal = Terminal(isColourUnwanted: noColor || plain, environment)
        var presentation = Presentation(
            isJSON: json, language: language.lang.flatMap(Language.init) ?? Language(environment),
            style: terminal.style,
            now: WallClock.system.now())
        presentation.columns = plain ? nil : terminal.size?.columns
        presentation.terminal = !json && !plain && terminal.isInteractive ? terminal : nil
        presentation.width = width
        presentation.isOnTerminal = terminal.isInteractive
        return presentation
    }

    private func answerOrFailure(
        _ commands: GatewayCommands, _ presentation: Presentation,
        _ body: @Sendable (GatewayCommands) async throws -> Answer
    ) async throws -> Answer {
        do {
            return try await body(commands)
        } catch let failure as Failure {
            return presentation.failure(failure)
        } catch is DecodingError {
            return presentation.failure(.unreadable)
        }
    }

    private func show(_ progress: QueryProgress, _ presentation: Presentation, _ environment: Environment) async {
        let terminal = Terminal(.error, isColourUnwanted: noColor, environment)
        guard let columns = terminal.size?.columns else { return }
        let line = ProgressLine(language: presentation.language, columns: columns, width: presentation.width)
        await line.show(progress.updates) { text in
            // A closed stderr needs no progress.
            _ = try? LineOutput.write(Array(text.utf8), toStandardError: true)
        }
    }
}
