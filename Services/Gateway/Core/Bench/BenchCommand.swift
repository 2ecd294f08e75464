import ArgumentParser
import Assembly
import CommandKit
import Domain
import Envelope
import Localization
import MessageBus
import ProcessKit
import SwiftOverlayShims
import Synchronization
import TerminalText

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

struct BenchCommand: AnsweringCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "bench",
            abstract: say(
                "스택 응답 속도 측정(같은 질의 반복)",
                "Measure how fast this stack answers (the same query, repeated, in one process)."),
            discussion: """
                EXAMPLES
                  \(Installation.gateway) bench 2022-01-05                  \(say("동시 요청 1개", "one client"))
                  \(Installation.gateway) bench 2022-01-05 --askers 16      \(say("동시 요청 16개", "16 concurrent clients"))
                  \(Installation.gateway) bench --rate 500 --for 30s        \(say("응답이 늦어도 초당 500회 유지", "500 queries per second"))
                  \(Installation.gateway) bench --refresh                   \(say("다시 가져옴(하루 호출 한도 소모)", "uses the daily quota"))

                \(say("--rate를 쓰면 예정된 질의 시각부터 시간을 재므로,\n응답이 밀려 생긴 지연도 결과에 반영됩니다.", "With --rate, latency is measured from the scheduled start of each query, so delays caused by slow responses are included."))
                """)
    }

    @Argument(
        help: .words(
            "날짜 (기본값: 서울 기준 어제)", "Date (default: yesterday in Seoul)."),
        completion: Completions.days)
    var date: String?
    @Option(
        help: .words(
            "차트 대신 측정할 명령, 예: 'top 2024'", "Measure this command instead of show, e.g. 'top 2024'.",
            valueName: "command")
    )
    var question: String?
    @OptionGroup var count: TopOption
    @Option(
        help: .words(
            "동시 요청 수, 1~4096 (기본값: 1, --rate 사용 시 64)",
            "Concurrent queries, 1 to 4096 (default: 1, or 64 with --rate)."))
    var askers: Int?
    @Option(
        help: .words(
            "초당 질의 수, 0.1~100000 (기본값: 제한 없음)",
            "Queries per second, 0.1 to 100000 (default: no limit)."))
    var rate: Double?
    @Option(
        name: .customLong("for"), help: .words("측정 시간, 100ms~10m", "Duration, 100ms to 10m.", valueName: "time"))
    var length = "5s"
    @Flag(
        help: .words(
            "응답을 텍스트로 구성 (기본값: JSON)",
            "Format the answers as text, which decodes every part (default: JSON)."))
    var text = false
    @Option(
        help: .words(
            "서로 다른 응답을 저장할 기존 디렉터리",
            "Existing directory in which to save each distinct answer."))
    var keep: String?
    @OptionGroup var policy: PolicyOptions
    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard askers.map((1...4096).contains) ?? true else {
            throw ValidationError.usage("--askers는 1부터 4096까지입니다.", "--askers takes 1 to 4096.")
        }
        guard rate.map((0.1...100_000).contains) ?? true else {
            throw ValidationError.usage("--rate는 0.1부터 100000까지입니다.", "--rate takes 0.1 to 100000.")
        }
        guard let duration = Duration(argument: length), (.milliseconds(100)...Duration.seconds(600)).contains(duration)
        else { throw ValidationError.usage("--for는 100ms부터 10m까지입니다.", "--for takes 100ms to 10m.") }
    }

    func answer(in context: CommandContext) async throws -> Answer {
        var asked: (@Sendable (GatewayCommands) async throws -> Answer)?
        if let question { asked = try await repeated(question, in: context) }
        let question = asked
        let day = try DateArgument.resolve(date, now: context.clock.now())
        return try await common.answer(in: context, policy) { commands in
            try await commands.bench(
                BenchPlan(
                    date: day, question: question, top: count.top,
                    askers: askers ?? (rate == nil ? 1 : 64), rate: rate,
                    duration: Duration(argument: length) ?? .seconds(5), timeout: common.timeLimit,
                    isText: text,
                    folder: keep))
        }
    }

    /// - Parameter line: a command whose words are separated by blanks.
    private func repeated(
        _ line: String, in context: CommandContext
    ) async throws -> @Sendable (GatewayCommands) async throws -> Answer {
        let words = line.split(separator: " ").map(String.init)
        let parsed = await GatewayCommand.parse(words)
        if case .failure(let ending) = parsed, !ending.isHelp {
            let reason = (ending.lines.first ?? "").replacing("\(Installation.gateway): ", with: "", maxReplacements: 1)
            throw StartupError.usage("--question: \(reason)", "--question: \(reason)")
        }
        guard case .success(let command as any QuestionCommand) = parsed else {
            throw StartupError.usage(
                "--question에는 run, top, compare, share, records, new, brief 명령을 쓰세요. 예: 'top 2024'",
                "--question takes a run, top, compare, share, records, new or brief command, e.g. 'top 2024'.")
        }
        return try command.question(in: context)
    }
}

extension GatewayCommands {
    /// Repeats one query in this process and reports the latencies; when it is cancelled, of what ran until then.
    func bench(_ plan: BenchPlan) async throws -> Answer {
        let score = Score()
        let cpuBefore = Self.processorTime
        let start = ContinuousClock.now
        do {
            // Cancelled and awaited at the end of this scope.
            async let _: Void = showProgress(of: score, plan, since: start)
            try await runQueries(plan, score, since: start)
        } catch is CancellationError {}
        let (took, cpu) = (ContinuousClock.now - start, Self.processorTime - cpuBefore)
        let tally = score.tally.withLock(\.self)
        if let folder = plan.folder { try Self.keep(tally.kept, in: folder) }
        let report = BenchReport(plan, tally, took: took, cpu: cpu)
        let isGood = report.failures.isEmpty && (report.partial == 0 || !presentation.isStrict)
        let exitStatus = isGood ? ExitStatus.complete : ExitStatus.temporary
        if presentation.isJSON { return Answer(output: try JSONBytes.encode(report), exitStatus: exitStatus) }
        let text = BenchText(language: presentation.language, columns: presentation.columns)
        return Answer(lines: text.lines(report), exitStatus: exitStatus)
    }

    private func runQueries(_ plan: BenchPlan, _ score: Score, since start: ContinuousClock.Instant) async throws {
        try await withThrowingTaskGroup { group in
            for _ in 0..<plan.askers {
                group.addTask(executorPreference: bus.executor) {
                    while .now - start < plan.duration {
                        let number = score.next.wrappingAdd(1, ordering: .relaxed).oldValue
                        guard let due = plan.dueTime(number) else { return }
                        if plan.rate != nil { try await Task.sleep(until: start + due, clock: .continuous) }
                        try await ask(plan, since: plan.rate == nil ? .now : start + due, score)
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    /// Rewrites a line on the terminal of stderr while the benchmark runs, and erases it at the end.
    private func showProgress(of score: Score, _ plan: BenchPlan, since start: ContinuousClock.Instant) async {
        guard let columns = presentation.noteColumns else { return }
        let clearing = "\r\u{1B}[K"
        var isDrawn = false
        // The sleep fails only when it is cancelled, which is the end of the benchmark.
        while (try? await Task.sleep(for: GatewayTiming.benchInterval)) != nil {
            let (answers, seconds) = (score.tally.withLock(\.answers), (ContinuousClock.now - start).components.seconds)
            let text = presentation.language(
                "\(plan.duration.components.seconds)초 가운데 \(seconds)초, 답 \(answers.withSeparators)개",
                "\(seconds) of \(plan.duration.components.seconds) s, \(answers.withSeparators) answers")
            LineOutput.note(clearing + presentation.width.prefix(text, columns: max(1, columns - 1)))
            isDrawn = true
        }
        if isDrawn { LineOutput.note(clearing) }
    }

    /// Shared by all concurrent tasks.
    private final class Score: Sendable {
        let next = Atomic(0)
        let tally = Mutex(BenchTally())
    }

    private func ask(_ plan: BenchPlan, since: ContinuousClock.Instant, _ score: Score) async throws {
        let query = Query(
            bus: bus, requests: query.requests, deadline: .now + plan.timeout, policy: query.policy,
            trace: .root(.background))
        var presentation = presentation
        presentation.format = plan.isText ? .text : .json
        do {
            if let question = plan.question { return try await ask(question, presentation, plan, since: since, score) }
            let assembly = try await query.show(.daily(plan.date), top: plan.top)
            let answer = try presentation.show(assembly)
            let took = ContinuousClock.now - since
            score.tally.withLock {
                $0.record(assembly, output: answer.output, isKept: plan.folder != nil, after: took)
            }
        } catch let failure as Failure {
            let took = ContinuousClock.now - since
            score.tally.withLock { $0.record(failure, after: took) }
        }
    }

    private func ask(
        _ question: (GatewayCommands) async throws -> Answer, _ presentation: Presentation, _ plan: BenchPlan,
        since: ContinuousClock.Instant, _ score: Score
    ) async throws {
        let answer = try await question(
            GatewayCommands(
                bus: bus, presentation: presentation, deadline: .now + plan.timeout, policy: query.policy))
        let took = ContinuousClock.now - since
        score.tally.withLock {
            $0.record(
                isComplete: answer.exitStatus == ExitStatus.complete, output: answer.output,
                isKept: plan.folder != nil, after: took)
        }
    }

    /// File names are "answer-1", "answer-2".
    private static func keep(_ answers: Set<[UInt8]>, in folder: String) throws {
        for (number, answer) in answers.enumerated() {
            try OutputFile(path: "\(folder)/answer-\(number + 1)").write(answer)
        }
    }

    /// User and system time of this process since its start.
    private static var processorTime: Duration {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
    }
}
