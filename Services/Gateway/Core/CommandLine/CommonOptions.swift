import ArgumentParser
import Assembly
import BusSettings
import CommandKit
import Envelope
import Localization
import MessageBus
import ProcessKit
import Records
import ServiceKit
import TerminalText

/// The options of all commands that query the stack, and how they run.
struct CommonOptions: ParsableArguments {
    @OptionGroup var endpoint: BrokerOption

    @Option(
        help: .words(
            "제한 시간, 0.1s~60s (기본값: 5s, 기간 조회는 30s)",
            "Time limit, 0.1s to 60s (default: 5s, for ranges 30s)."))
    var timeout: String?

    @Flag(
        help: .words(
            "JSON 출력(고정된 형식, 부분별 상태 포함)",
            "Print JSON (stable format, with the status of each part)."))
    var json = false

    @Option(
        name: .customShort("o"),
        help: .words(
            "출력 형식, --format과 같음",
            "Output format (same as --json and --format).", valueName: "form"))
    var output: OutputForm?

    @OptionGroup var language: LanguageOption

    @Flag(help: .words("색상 없이 출력", "Print without colour."))
    var noColor = false

    @Flag(
        help: .words(
            "파이프로 출력할 때와 같은 일반 텍스트\n(색상·말줄임 없음)",
            "Print plain text, as to a pipe: no colour, no truncation."))
    var plain = false

    @Flag(
        name: .shortAndLong,
        help: .words(
            "요청별 워커와 소요 시간을 stderr에 출력", "Log each request, its worker and its duration to stderr."))
    var verbose = false

    func validate() throws {
        guard let timeout else { return }
        guard let limit = Duration(argument: timeout), (.milliseconds(100)...Duration.seconds(60)).contains(limit)
        else {
            throw ValidationError.usage(
                "--timeout에는 0.1s~60s를 지정하세요. 예: 2s, 500ms", "Set --timeout to 0.1s to 60s, e.g. 2s or 500ms.")
        }
    }

    /// `--timeout`, which `validate` has checked.
    var timeLimit: Duration { timeLimit(default: .seconds(5)) }

    private func timeLimit(default limit: Duration) -> Duration { timeout.flatMap { Duration(argument: $0) } ?? limit }

    var isJSON: Bool { json || output == .json }

    /// Joins the bus, runs the command, and adds to its answer what these options ask for.
    ///
    /// - Parameters:
    ///   - policy: of a film query; nil for a query whose answer is not stored.
    ///   - format: the form of films; nil for a command with text and JSON only.
    ///   - view: how text shows a chart.
    ///   - limit: the time limit without `--timeout`.
    ///   - runFolder: whether a stack without a run folder is examined all the same.
    func answer(
        in context: CommandContext, _ policy: PolicyOptions? = nil, format: FormatOptions? = nil,
        view: ChartView = .list, timeLimit limit: Duration = .seconds(5), runFolder: RunFolderUse = .required,
        _ body: @escaping @Sendable (GatewayCommands) async throws -> Answer
    ) async throws -> Answer {
        let settings = try context.settings()
        try Language.check(settings)
        var presentation = presentation(context, settings, width: try TextWidth(settings))
        presentation.isStrict = policy?.strict ?? false
        presentation.view = view
        presentation.tableStyle = format?.tableStyle(presentation.language) ?? TableStyle()
        presentation.format = try answerFormat(format)
        let configuration = try BusConfiguration.find(
            endpoint.broker, settings, instance: context.instance, runFolder: runFolder)
        let answerPolicy = try policy?.policy(settings) ?? AnswerPolicy()
        let progress = QueryProgress()
        let deadline = ContinuousClock.now + timeLimit(default: limit)
        let line = progressLine(context, presentation, settings)
        return try await withMessageBus(configuration) { bus in
            let commands = GatewayCommands(
                bus: bus, presentation: presentation, deadline: deadline, policy: answerPolicy, progress: progress,
                clock: context.clock, settings: settings)
            let run: @Sendable () async throws -> Answer = { [presentation] in
                // Cancelled and awaited at the end of this scope, even during its initial delay.
                async let _: Void? = line?.show(progress.updates) { LineOutput.note($0) }
                var answer = try await answerOrFailure(commands, presentation, body)
                if format?.explain == true { answer = commands.explained(answer) }
                if verbose { answer = commands.annotated(answer) }
                return presentation.sanitized(answer)
            }
            guard context.ownsProcess else { return try await run() }
            // Inside the bus's scope, which can still cancel the requests at the broker.
            let (answer, signalStatus) = try await withSignalCancellation(run)
            if let signalStatus { return presentation.interruption(signalStatus, after: answer) }
            return answer ?? Answer(notes: [], exitStatus: ExitStatus.software)
        }
    }

    /// - Parameter options: nil for a command with text and JSON only.
    private func answerFormat(_ options: FormatOptions?) throws -> AnswerFormat {
        guard let options else {
            guard [nil, .text, .json].contains(output) else {
                throw StartupError.usage(
                    "이 명령의 출력 형식은 text와 json뿐입니다.", "This command prints text or json only.")
            }
            guard output != .text || !json else { throw OutputForm.exclusion }
            return isJSON ? .json : .text
        }
        guard options.format == nil || output == nil || options.format == output else { throw OutputForm.exclusion }
        return try options.answerFormat(options.format ?? output, isJSON: json)
    }

    func presentation(_ context: CommandContext, _ settings: Environment, width: TextWidth) -> Presentation {
        let terminal = context.terminal(isColourUnwanted: noColor || plain, settings)
        var presentation = Presentation(
            isJSON: isJSON, language: context.language,
            style: terminal?.style ?? .plain,
            now: context.clock.now())
        presentation.isOnTerminal = terminal?.isInteractive == true
        presentation.columns = context.columns ?? (plain ? nil : terminal?.size?.columns)
        presentation.noteColumns = context.noteColumns
        presentation.terminal = !isJSON && !plain && presentation.isOnTerminal ? terminal : nil
        presentation.isIndented = presentation.isOnTerminal && !plain
        presentation.width = width
        return presentation
    }

    private func progressLine(
        _ context: CommandContext, _ presentation: Presentation, _ settings: Environment
    ) -> ProgressLine? {
        context.terminal(.error, isColourUnwanted: noColor, settings)?.size.map {
            ProgressLine(language: presentation.language, columns: $0.columns, width: presentation.width)
        }
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
}
