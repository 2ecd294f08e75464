import Assembly
public import BoxOffice
import Envelope
public import ProcessKit

/// The output of a watched chart.
public struct WatchScreen: Sendable {
    /// Its current width; nil without a limit.
    let columns: @Sendable () -> Int?
    let hasReader: @Sendable () -> Bool
    /// Replaces the previous answer; returns false when the output has no reader any more.
    let show: @Sendable (Answer) throws -> Bool

    public init(
        columns: @escaping @Sendable () -> Int?, hasReader: @escaping @Sendable () -> Bool,
        show: @escaping @Sendable (Answer) throws -> Bool
    ) {
        self.columns = columns
        self.hasReader = hasReader
        self.show = show
    }
}

extension GatewayCommands {
    /// Shows a chart again when it changes or the terminal's width changes.
    ///
    /// - Parameters:
    ///   - namedDay: nil for the current yesterday in Seoul.
    ///   - timeout: the time limit of each answer.
    public func watch(
        _ namedDay: Day?, top: Int, timeout: Duration, on screen: WatchScreen, clock: WallClock = .system
    ) async throws {
        let watcher = ChartWatcher(
            bus: bus, requests: query.requests, policy: query.policy, timeout: timeout, clock: clock)
        var presentation = presentation
        try await watcher.run(
            namedDay, top: top,
            reader: {
                guard screen.hasReader() else { return .disconnected }
                return screen.columns() == presentation.columns ? .waits : .needsReport
            },
            report: { report in
                presentation.now = clock.now()
                presentation.columns = screen.columns()
                switch report.answer {
                case .success(let assembly): return try screen.show(presentation.show(assembly))
                case .failure(let failure): return try screen.show(presentation.failure(failure))
                }
            })
    }
}
