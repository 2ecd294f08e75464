import Domain
import ProcessKit

/// The query that `gateway bench` repeats, its rate and its duration.
struct BenchPlan: Sendable {
    var date: Day
    /// A question that is asked instead of the day's chart.
    var question: (@Sendable (GatewayCommands) async throws -> Answer)?
    /// Films per answer.
    var top: Int
    /// The highest number of concurrent queries.
    var askers: Int
    /// Queries per second, started on time even when answers are late; nil starts a query after each answer.
    var rate: Double?
    var duration: Duration
    /// The time limit of each answer.
    var timeout: Duration
    /// Answers are rendered as text, which decodes every part, instead of as JSON, which decodes nothing.
    var isText: Bool
    /// A folder for each distinct answer, so that another program can check them; nil to keep none.
    var folder: String?

    init(
        date: Day, question: (@Sendable (GatewayCommands) async throws -> Answer)? = nil, top: Int, askers: Int,
        rate: Double?, duration: Duration, timeout: Duration,
        isText: Bool,
        folder: String?
    ) {
        self.date = date
        self.question = question
        self.top = top
        self.askers = askers
        self.rate = rate
        self.duration = duration
        self.timeout = timeout
        self.isText = isText
        self.folder = folder
    }

    /// How many queries are due; 0 without a rate.
    var questions: Int {
        guard let rate else { return 0 }
        return Int((rate * Double(duration.wholeMicroseconds) / 1_000_000).rounded(.up))
    }

    /// When the query of this number is due, counted from the first one; nil when it is due after the end.
    ///
    /// With a rate, latency counts from this moment, although the query may start later because all tasks are waiting:
    /// otherwise one slow answer hides the delay of all queries that were due meanwhile (coordinated omission).
    func dueTime(_ number: Int) -> Duration? {
        guard let rate else { return .zero }
        let due: Duration = .seconds(Double(number) / rate)
        return due < duration ? due : nil
    }
}
