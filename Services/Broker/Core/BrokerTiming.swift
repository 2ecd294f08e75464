/// The durations of the broker's process beside those of its protocol (see `MajordomoTiming`).
enum BrokerTiming {
    /// How long unsent replies and events outlive the endpoints.
    static let linger: Duration = .milliseconds(250)
    /// How long a new connection may take for its handshake.
    static let handshakeLimit: Duration = .seconds(2)
    /// How often the allow-list is read at most; unknown keys cause it.
    static let keyFolderInterval: Duration = .seconds(1)
    /// How often admitted keys are checked against the allow-list.
    static let keyCheckInterval: Duration = .seconds(2)
    /// How long news of a refused peer waits for more about it.
    static let refusalReportDelay: Duration = .seconds(5)
    /// How often unfinished messages are measured, and how much longer for each connection that has one.
    static let progressInterval: Duration = .milliseconds(20)
    static let progressCost: Duration = .microseconds(40)
    /// Between two events about ended connections.
    static let connectionReportInterval: Duration = .milliseconds(250)
}
