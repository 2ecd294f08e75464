/// The time limits of the gateway beside the deadline of each answer.
enum GatewayTiming {
    /// Before a brief is asked for again.
    static let briefPause: Duration = .seconds(10)
    /// Of fetching an image before the link alone is shown, and of the program that draws it.
    static let pictureLimit: Duration = .seconds(4)
    /// An answer that takes longer than this is announced by a line of progress.
    static let progressDelay: Duration = .milliseconds(100)
    /// How often a benchmark shows its progress.
    static let benchInterval: Duration = .milliseconds(500)
    /// Of the films that a shell offers for completion.
    static let completionLimit: Duration = .milliseconds(500)
}
