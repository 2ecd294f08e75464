public import BoxOffice
import ProcessKit

/// What `gateway bench` asks, how often, and for how long.
public struct BenchPlan: Sendable {
    public var date: Day
    /// Films of each answer.
    public var top: Int
    /// Questions under way at a time, at most.
    public var askers: Int
    /// Questions a second, begun on time however late the answers are; nil asks again as soon as there is an answer.
    public var rate: Double?
    public var duration: Duration
    /// Of each answer.
    public var timeout: Duration
    /// Answers are put together as text, which decodes every part, instead of as JSON, which decodes nothing.
    public var isText: Bool
    /// A folder for each different answer, so that somebody else can judge them; nil when nobody does.
    public var folder: String?

    public init(
        date: Day, top: Int, askers: Int, rate: Double?, duration: Duration, timeout: Duration, isText: Bool,
        folder: String?
    ) {
        self.date = date
        self.top = top
        self.askers = askers
        self.rate = rate
        self.duration = duration
        self.timeout = timeout
        self.isText = isText
        self.folder = folder
    }

    /// How many are due; 0 without a rate.
    var questions: Int {
        guard let rate else { return 0 }
        return Int((rate * Double(duration.wholeMicroseconds) / 1_000_000).rounded(.up))
    }

    /// When the question of this number is due, counted from the first one; nil when it comes after the end.
    ///
    /// At a rate it is measured from this moment on, although it may begin later because all askers are still waiting:
    /// otherwise one slow answer would hide the delay of all who would have asked meanwhile (coordinated omission).
    func due(_ number: Int) -> Duration? {
        guard let rate else { return .zero }
        let due: Duration = .seconds(Double(number) / rate)
        return due < duration ? due : nil
    }
}
