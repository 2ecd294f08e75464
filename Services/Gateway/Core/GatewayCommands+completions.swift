import BoxOffice
import Contracts
import Envelope
import MessageBus
import ServiceKit

extension GatewayCommands {
    /// Films of the stored charts of the last days, the latest first, each once: what a shell offers as codes.
    ///
    /// Only the cache is asked; whoever presses a key waits for no upstream.
    public func filmsForCompletion(now: Double) async throws -> [(code: String, title: String)] {
        let today = Day.inSeoul(secondsSinceEpoch: now)
        let charts = try await query.storedCharts((1...CachePeekRequest.maxKeys).map { today.advanced(by: -$0) })
        var seen: Set<String> = []
        return charts.flatMap(\.entries).filter { seen.insert($0.code).inserted }.map { ($0.code, $0.title.printable) }
    }
}
