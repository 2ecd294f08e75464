/// The durations of the broker's process, in addition to those of its protocol (see `MajordomoTiming`).
enum BrokerTiming {
    /// How long unsent replies and events outlive the endpoints.
    static let linger: Duration = .milliseconds(250)
    /// How long a new connection may take for its handshake.
    static let handshakeLimit: Duration = .seconds(2)
    /// The minimum time between two reads of the whole allow-list, which unknown keys cause.
    static let keyFolderInterval: Duration = .seconds(1)
    /// How often admitted keys are checked against the allow-list.
    static let keyCheckInterval: Duration = .seconds(2)
    /// How long the report of a refused peer is delayed until more is known about the peer.
    static let refusalReportDelay: Duration = .seconds(5)
    /// The interval between measurements of unfinished messages, and its extension for each measured connection.
    static let progressInterval: Duration = .milliseconds(20)
    static let progressCost: Duration = .microseconds(40)
    /// The minimum time between two reports of ended connections.
    static let connectionReportInterval: Duration = .milliseconds(250)
}
