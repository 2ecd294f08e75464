import BoxOffice
import Envelope

/// One look at a chart that is watched.
struct WatchLook {
    /// What a person sees of it: not how old it is, which is another each time.
    enum Content: Equatable {
        case parts(Day, [PartOutcome.Status], [[UInt8]?], isProvisional: Bool, columns: Int?)
        case failure(FailureCode)
    }

    let content: Content
    let answer: Answer
    let found: WatchSchedule.Found

    init(_ assembly: ShowAssembly, of day: Day, failures: Int, _ presentation: Presentation) throws {
        let parts = assembly.parts
        content = .parts(
            day, parts.map(\.status), parts.map(\.value),
            isProvisional: presentation.isProvisional(.daily(day), assembly.chart), columns: presentation.columns)
        answer = try presentation.show(assembly, date: day)
        found =
            if assembly.chart.value == nil {
                .nothing(times: failures + 1)
            } else if assembly.isComplete {
                .complete(freshFor: assembly.chart.cache?.ttl ?? 0)
            } else {
                .partial
            }
    }

    init(_ failure: Failure, failures: Int, _ presentation: Presentation) {
        content = .failure(failure.code)
        answer = presentation.failed(failure)
        found = .nothing(times: failures + 1)
    }
}
