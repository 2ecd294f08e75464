import Assembly
import BoxOffice
import Contracts
import Envelope
import MessageBus
import ProcessKit

extension GatewayCommands {
    /// Films of the stored charts of the last days, the latest first, each once: the codes that a shell offers.
    ///
    /// Reads only the cache: completion must not wait for an upstream.
    public func filmsForCompletion(now: Double) async throws -> [(code: String, title: String)] {
        let today = Day.inSeoul(secondsSinceEpoch: now)
        let (charts, _) = try await query.storedCharts((1...CachePeekRequest.maxKeys).map { today.advanced(by: -$0) })
        var seen: Set<String> = []
        return charts.flatMap(\.entries)
            // A shell may expand its completions: only valid codes are offered.
            .filter { $0.code.wholeMatch(of: /[0-9A-Za-z]{8}/) != nil && seen.insert($0.code).inserted }
            .map { ($0.code, $0.title.printable) }
    }
}
