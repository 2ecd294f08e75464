import Assembly
import BoxOffice
import Contracts
import Envelope
import MessageBus
import ProcessKit

extension GatewayCommands {
    /// Films of the stored charts of the last days, the latest first, each once: what a shell offers as codes.
    ///
    /// Only the cache is asked; whoever presses a key waits for no upstream.
    public func filmsForCompletion(now: Double) async throws -> [(code: String, title: String)] {
        let today = Day.inSeoul(secondsSinceEpoch: now)
        let (charts, _) = try await query.storedCharts((1...CachePeekRequest.maxKeys).map { today.advanced(by: -$0) })
        var seen: Set<String> = []
        return charts.flatMap(\.entries)
            // A shell expands what it is offered: nothing but what a code can be.
            .filter { $0.code.wholeMatch(of: /[0-9A-Za-z]{8}/) != nil && seen.insert($0.code).inserted }
            .map { ($0.code, $0.title.printable) }
    }
}
