/// The durations of the exporter.
enum ExporterTiming {
    /// Prometheus waits ten seconds by default.
    static let scrapeLimit: Duration = .seconds(5)
    /// Between two reads of yesterday's chart, each of which the cache counts.
    static let chartInterval: Duration = .seconds(60)
    /// Before a stream is opened again.
    static let subscriptionPause: Duration = .seconds(1)
    /// After the first request that a receiver of traces did not take; each further pause is twice as long.
    static let firstPause: Duration = .seconds(1)
    /// The longest pause between two requests to a receiver that is away.
    static let longestPause: Duration = .seconds(60)
    /// Between two requests to a receiver of traces.
    static let sendInterval: Duration = .seconds(1)
}
