/// The durations of an answer's assembly; the deadline of each query comes from its caller.
public enum AssemblyTiming {
    /// The time limit of one peek over all its pages: after it the fetchers are called.
    static let peekLimit: Duration = .milliseconds(500)
    /// The first pause before a request that was refused as overload is sent again; it doubles up to the longest.
    static let firstPause: Duration = .milliseconds(20)
    static let longestPause: Duration = .milliseconds(400)
    /// The time limit of a posted revalidation, however short the query's own deadline is.
    static let revalidation: Duration = .seconds(5)

    /// The first delay of a watch after an answer without a chart; it doubles after each further one, up to
    /// `longestWatchRetry`: each attempt costs upstream calls.
    static let watchRetry: Duration = .seconds(10)
    /// The delay of a watch after an incomplete answer.
    static let longestWatchRetry: Duration = .seconds(600)
    /// The shortest time between two answers of a watch: parts are often stored together.
    public static let watchPause: Duration = .milliseconds(100)
    /// How often a watch checks whether its reader is still present.
    static let watchCheck: Duration = .seconds(1)
}
