import Assembly
public import BoxOffice
import Envelope
public import ProcessKit

/// Where a watched chart is shown.
public struct WatchScreen: Sendable {
    /// Its width at this moment; nil where none matters.
    let columns: @Sendable () -> Int?
    let hasReader: @Sendable () -> Bool
    /// Shows an answer in the place of the one before; false once nobody reads it.
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
    /// Shows a chart again whenever it has changed, or the terminal has another width.
    ///
    /// - Parameters:
    ///   - namedDay: nil for yesterday in Seoul, whichever that is.
    ///   - timeout: of each answer.
    public func watch(
        _ namedDay: Day?, top: Int, timeout: Duration, on screen: WatchScreen, clock: WallClock = .system
    ) async throws {
        let watcher = ChartWatcher(
            bus: bus, requests: query.requests, policy: query.policy, timeout: timeout, clock: clock)
        var presentation = presentation
        try await watcher.run(
            namedDay, top: top,
            reader: {
                guard screen.hasReader() else { return .isGone }
                return screen.columns() == presentation.columns ? .waits : .needsReport
            },
            report: { report in
                presentation.now = clock.now()
                presentation.columns = screen.columns()
                switch report.answer {
                case .success(let assembly): return try screen.show(presentation.show(assembly))
                case .failure(let failure): return try screen.show(presentation.failed(failure))
                }
            })
    }
}
