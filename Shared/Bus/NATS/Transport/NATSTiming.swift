/// The durations of the transport over NATS.
enum NATSTiming {
    // A worker.
    /// A pause of the process after which its clients have turned to other instances.
    static let suspension: Duration = .seconds(1)
    /// How often a worker looks whether its process was suspended.
    static let wakefulness: Duration = .milliseconds(250)
    /// Between two attempts to read what arrived during a suspension.
    static let catchUpPause: Duration = .milliseconds(50)
    /// The limit of a write or read of an instance record.
    static let claimLimit: Duration = .seconds(1)

    // The directory.
    /// How long a further answer may take after each; on a busy machine a process may wait for 100 ms until it runs.
    static let directoryWindow: Duration = .milliseconds(200)

    // Events.
    /// The servers take up to 9 s to elect a new leader of the stream after the loss of one, and more when the votes split.
    static let logOpeningLimit: Duration = .seconds(30)
    /// The limit for finding or making the stream, before events are sent again.
    static let publisherOpeningLimit: Duration = .seconds(2)
    /// How long the servers remember the id of an event; longer than `OutboxTiming.lifetime`.
    static let duplicateWindow: Duration = .seconds(60)
    /// The server reports twice a second that it has no event.
    static let eventStreamSilence: Duration = .milliseconds(1500)
    /// The limit of an attempt to make a consumer again.
    static let reopeningLimit: Duration = .seconds(2)
    /// Between two such attempts.
    static let reopeningPause: Duration = .milliseconds(100)

    // JetStream.
    /// A request that the servers have not answered by then is sent again, to another leader perhaps.
    static let jetStreamSilence: Duration = .milliseconds(700)
    /// Between two questions while the servers elect a leader, know too few others, or make the store of a stream.
    static let readinessPause: Duration = .milliseconds(100)
}
