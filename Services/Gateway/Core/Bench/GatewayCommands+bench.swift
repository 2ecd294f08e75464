import Assembly
import Envelope
import MessageBus
import ProcessKit
import Synchronization

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

extension GatewayCommands {
    /// Repeats one query in this process and reports the latencies.
    public func bench(_ plan: BenchPlan) async throws -> Answer {
        let score = Score()
        let cpuBefore = Self.processorTime
        let start = ContinuousClock.now
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
        let (took, cpu) = (ContinuousClock.now - start, Self.processorTime - cpuBefore)
        let tally = score.tally.withLock(\.self)
        if let folder = plan.folder { try Self.keep(tally.kept, in: folder) }
        let report = BenchReport(plan, tally, took: took, cpu: cpu)
        let isGood = report.failures.isEmpty && (report.partial == 0 || !presentation.isStrict)
        let exitStatus = isGood ? ExitStatus.complete : ExitStatus.temporary
        if presentation.isJSON { return Answer(output: try JSONBytes.encode(report), exitStatus: exitStatus) }
        return Answer(lines: BenchText(language: presentation.language).lines(report), exitStatus: exitStatus)
    }

    /// Shared by all concurrent tasks.
    private final class Score: Sendable {
        let next = Atomic(0)
        let tally = Mutex(BenchTally())
    }

    private func ask(_ plan: BenchPlan, since: ContinuousClock.Instant, _ score: Score) async throws {
        let query = Query(bus: bus, requests: query.requests, deadline: .now + plan.timeout, policy: query.policy)
        var presentation = presentation
        presentation.format = plan.isText ? .text : .json
        do {
            let assembly = try await query.show(plan.date, top: plan.top)
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
