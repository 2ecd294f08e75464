/// The durations of an answer's assembly; the deadline of each query comes from its caller.
public enum AssemblyTiming {
    /// The limit of one look into the cache, over all its pages: without an answer the fetchers are asked.
    static let peekLimit: Duration = .milliseconds(500)
    /// The first pause before a request that was refused for want of room is sent again; it doubles up to the longest.
    static let firstPause: Duration = .milliseconds(20)
    static let longestPause: Duration = .milliseconds(400)
    /// How long a posted revalidation may take, however short the query's own deadline is.
    static let revalidation: Duration = .seconds(5)

    /// A watched chart is asked for again after an answer without a chart, and twice as long after each further one, up to
    /// `watchPatience`: each costs calls.
    static let watchRetry: Duration = .seconds(10)
    /// The same after an answer that is not complete.
    static let watchPatience: Duration = .seconds(600)
    /// How often a watch checks whether its reader is still there.
    static let watchCheck: Duration = .seconds(1)
}
