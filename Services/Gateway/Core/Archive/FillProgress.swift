import Contracts
import ProcessKit
import Synchronization
import TerminalText

/// Shows on stderr how far a fill is: a bar on a terminal, else a line a minute.
final class FillProgress: Sendable {
    private static let clearing = "\r\u{1B}[K"
    private static let lineInterval: Duration = .seconds(60)
    private static let barColumns = 20

    /// Columns of stderr's terminal; nil without one.
    private let columns: Int?
    private let isSilent: Bool
    private let lastLine: Mutex<ContinuousClock.Instant?> = Mutex(nil)

    init(_ context: CommandContext) {
        columns = context.noteColumns
        isSilent = !context.ownsProcess
    }

    func note(_ line: String) {
        if !isSilent { LineOutput.note("\(Installation.gateway): \(line)\n") }
    }

    func show(_ order: ArchiveFillOrder, _ text: String) {
        guard !isSilent else { return }
        if let columns {
            let done = (order.charts - order.missing) * Self.barColumns / max(1, order.charts)
            let bar = String(repeating: "#", count: done) + String(repeating: "-", count: Self.barColumns - done)
            // The last column stays empty: some terminals wrap a full line.
            let line = TextWidth.narrow.prefix("[\(bar)] \(text)", columns: max(1, columns - 1))
            return LineOutput.note(Self.clearing + line)
        }
        let isDue = lastLine.withLock { last in
            if let last, .now < last + Self.lineInterval { return false }
            last = .now
            return true
        }
        if isDue { note(text) }
    }

    func erase() {
        if columns != nil, !isSilent { LineOutput.note(Self.clearing) }
    }
}
