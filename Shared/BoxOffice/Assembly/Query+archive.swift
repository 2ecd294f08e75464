public import Contracts
public import Domain
internal import Envelope
internal import Localization
internal import MessageBus

/// Questions to the archive.
extension Query {
    /// What a page may take after the query's deadline, when it is only read.
    private static let readingTime: Duration = .seconds(2)
    /// The shortest time in which a fetch is begun.
    private static let fetchingTime: Duration = .seconds(1)

    /// The charts of a range, in pages: one for each day or week, unknown ones as well.
    ///
    /// Charts that are not final are fetched first; at the deadline the rest is answered as it is known.
    ///
    /// - Parameters:
    ///   - calls: how many may be fetched; offline none.
    ///   - moment: what was known then, in milliseconds since 1970; nil for what is known now.
    /// - Returns: how many were fetched.
    /// - Throws: `Failure`, `unavailable` when the stack has no archive.
    public func archivedCharts(
        _ kind: ChartKind, in days: ClosedRange<Day>, calls: Int, asOf moment: Int64? = nil,
        onPage: ([ArchivedChart]) async throws -> Void
    ) async throws -> Int {
        var (first, fetched): (Day?, Int) = (days.lowerBound, 0)
        while let day = first {
            let mayFetch = !policy.isOffline && .now + Self.fetchingTime < finder.deadline
            let question = ArchiveChartsRequest(
                kind, day...days.upperBound, calls: ItemLimit(clamping: mayFetch ? calls - fetched : 0), asOf: moment)
            let page = try await archivedPage(question)
            try await onPage(page.charts)
            fetched += page.calls
            // A page that does not go on would be asked for again for ever.
            first = page.next.flatMap { $0 > day ? $0 : nil }
        }
        return fetched
    }

    private func archivedPage(_ question: ArchiveChartsRequest) async throws -> ArchiveChartsReply {
        let request = BusRequest(
            service: ServiceName.archive, kind: ArchiveChartsRequest.kind, trace: finder.trace,
            payload: try JSONBytes.encode(question))
        let what = "archive \(question.chart.rawValue) \(question.first)..\(question.last)"
        let step = finder.log.begin(request, what: what)
        do {
            let reply = try await finder.bus.request(request, deadline: max(finder.deadline, .now + Self.readingTime))
            finder.log.end(step, reply)
            if let failure = reply.envelope.header.failure { throw failure }
            return try JSONBytes.decode(ArchiveChartsReply.self, from: reply.envelope.payload)
        } catch let failure as Failure {
            finder.log.end(step, failure)
            throw failure
        } catch let error as DecodingError {
            throw Failure.malformedPayload(error)
        }
    }
}
