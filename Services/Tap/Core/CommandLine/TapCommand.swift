public import ArgumentParser
import BusSettings
import CommandKit
import Envelope
import EventLog
import EventText
import Localization
import MessageBus
public import ProcessKit
import ServiceKit
import TerminalText

/// The command line of `tap`.
public struct TapCommand: ParsableCommand, Sendable {
    public static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: Installation.program("tap"),
            abstract: say(
                "스택의 이벤트 스트림 출력(이벤트, 요청·응답, 질의, 통계)",
                "Print the event stream of a stack: events, exchanges, one query, or statistics."),
            discussion: """
                EXAMPLES
                  \(Installation.program("tap"))                                  \(say("지금부터 발생하는 이벤트(Ctrl-C로 종료)", "what happens from now on, until Ctrl-C"))
                  \(Installation.program("tap")) --match --service detail-fetcher \(say("요청마다 응답과 걸린 시간", "each request and its answer"))
                  \(Installation.program("tap")) --kind 'chart.*' --kind 'movie.*' --exclude '*.answered'
                  \(Installation.program("tap")) --query 5aefbff7                 \(say("질의의 전체 메시지를 트리로 출력", "all messages of a query as a tree"))
                  \(Installation.program("tap")) --stats                          \(say("처리량, 오류, 지연 시간, 적중률: 갱신되는 표", "a live table of rates and errors"))
                  \(Installation.program("tap")) --since 5m --no-follow --json    \(say("지난 5분, 한 줄에 JSON 하나", "the last 5 minutes as JSON lines"))
                  \(Installation.program("tap")) --record events.ndjson --for 1m
                  \(Installation.program("tap")) --replay events.ndjson --match   \(say("기록한 이벤트 재생", "replay recorded events"))
                """,
            version: ProductVersion.current)
    }

    @OptionGroup(title: say("출력 대상", "What to show")) var display: DisplayOptions
    @OptionGroup(title: say("출력 범위", "From when, and how long")) var span: SpanOptions

    @Option(
        help: .words(
            "모든 이벤트를 파일에 추가 기록(필터와 무관)", "Append all events to a file, including those hidden by filters.",
            valueName: "file"),
        completion: .file())
    var record: String?
    @Option(
        help: .words(
            "--record로 기록한 파일 재생(-는 stdin)",
            "Replay a file written by --record (- for stdin).", valueName: "file"), completion: .file())
    var replay: String?
    @OptionGroup var endpoint: BrokerOption
    @OptionGroup var language: LanguageOption
    @Flag(help: .words("색상 없이 출력", "Print without colour."))
    var noColor = false

    public init() {}

    public func validate() throws {
        let isTree = display.query != nil && !display.match && !display.stats
        guard !(isTree || display.stats) || span.count == nil else {
            throw ValidationError.usage(
                "--count는 이벤트나 --match의 줄 수입니다. --stats와 --query는 --for나 --idle로 끝냅니다.",
                "--count counts lines of events or of --match; --stats and --query end by --for or --idle.")
        }
        guard !isTree || (span.last ?? 0) == 0 else {
            throw ValidationError.usage(
                "질의는 전체를 보입니다. --query와 --last는 --match나 --stats가 있을 때만 함께 씁니다.",
                "A query is shown as a whole: --query takes --last only with --match or --stats.")
        }
        guard !span.noFollow || (span.duration == nil && span.idle == nil) else {
            throw ValidationError.usage(
                "--no-follow는 바로 끝냅니다. --for와 --idle 없이 쓰세요.", "--no-follow ends at once: leave --for and --idle out.")
        }
        guard replay == nil || [record, endpoint.broker, span.duration, span.idle].allSatisfy({ $0 == nil }) else {
            throw ValidationError.usage(
                "--replay는 스택에 연결하지 않습니다. --record, --broker, --for, --idle 없이 쓰세요.",
                "--replay joins no stack: leave --record, --broker, --for and --idle out.")
        }
    }

    /// Runs a command line.
    ///
    /// - Parameters:
    ///   - arguments: the words after the program's name.
    ///   - environment: without the user's file, which is read now; help works without it.
    ///   - instance: the name on the bus.
    /// - Returns: the exit status; everything is printed.
    public static func run(_ arguments: [String], _ environment: Environment, instance: String) async throws -> Int32 {
        let settings = Result { try environment.mergingFile() }
        // Why the file cannot be read is reported by the command, in this language.
        var language = Language((try? settings.get()) ?? environment)
        do {
            let given = try LanguageWords(arguments)
            language = given.language ?? language
            return try await OutputLanguage.$current.withValue(language) {
                let command: TapCommand
                do {
                    command = try parse(given.words)
                } catch {
                    let ending = ParserEnding(
                        error, of: Self.self, program: Installation.program("tap"), in: OutputLanguage.current)
                    return try print(ending, environment)
                }
                return try await command.run(settings.get(), instance: instance)
            }
        } catch let error as StartupError {
            note(error.message(language), environment)
            return error.exitStatus
        }
    }

    private static func print(_ ending: ParserEnding, _ settings: Environment) throws -> Int32 {
        let text = wrapped(ending.lines, ending.isHelp ? .output : .error, settings)
        _ = try LineOutput.write(Array(text.utf8), toStandardError: !ending.isHelp)
        return ending.exitStatus
    }

    /// Reports something beside the output.
    private static func note(_ text: String, _ settings: Environment) {
        LineOutput.note(wrapped(["\(Installation.program("tap")): \(text)"], .error, settings))
    }

    /// Lines that fit the terminal, if there is one.
    private static func wrapped(_ lines: [String], _ stream: Terminal.Stream, _ settings: Environment) -> String {
        let columns = Terminal(stream, isColourUnwanted: true, settings).size?.columns
        return lines.flatMap { TextWidth.narrow.wrapIndented($0, columns: columns) }.map { "\($0)\n" }.joined()
    }

    private func run(_ settings: Environment, instance: String) async throws -> Int32 {
        try Language.check(settings)
        let language = OutputLanguage.current
        for hint in display.hints { Self.note(hint, settings) }
        let request = try span.request(
            isWholePast: display.query != nil || replay != nil, now: WallClock.system.microseconds)
        let terminal = Terminal(isColourUnwanted: noColor, settings)
        do {
            if let replay {
                let events = try EventReplay(path: replay).events()
                var view = display.view(language, terminal)
                try Tap.show(events, request, &view, LineOutput.write)
                return ExitStatus.complete
            }
            let configuration = try BusConfiguration.find(endpoint.broker, settings, instance: instance)
            let recorder = try record.map(EventRecorder.init)
            let isTable = display.stats && !display.json && terminal.isInteractive
            let (_, signalStatus) = try await withSignalCancellation {
                try await withMessageBus(configuration) { bus in
                    var view = display.view(language, terminal)
                    // A table that is drawn anew each second reports the connection itself.
                    let tap = Tap(bus: bus, record: recorder?.keep) { change in
                        if !isTable { Self.note(change.note(language), settings) }
                    }
                    if request.isFollowing, !isTable, Terminal(.error, isColourUnwanted: true, settings).isInteractive {
                        Self.note(language("이벤트를 기다립니다. 종료: Ctrl-C", "Waiting for events. Stop: Ctrl-C"), settings)
                    }
                    try await tap.run(request, &view, hasReader: { LineOutput.hasReader }, LineOutput.write)
                }
            }
            return signalStatus ?? ExitStatus.complete
        } catch let failure as Failure {
            throw StartupError(
                failure.message,
                exitStatus: failure.code == .unknownQuery ? ExitStatus.noInput : ExitStatus.unavailable)
        }
    }
}
