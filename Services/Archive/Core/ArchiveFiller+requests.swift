import ArchiveMachine
import Contracts
import Domain
import Envelope
import MessageBus
import ProcessKit
import Storage

/// What is asked about orders, and how they change.
extension ArchiveFiller {
    /// - Parameter days: those with charts.
    func estimate(_ kind: ChartKind, in days: ClosedRange<Day>) async throws -> ArchiveEstimateReply {
        ArchiveEstimateReply(
            charts: ChartSelection.count(kind, in: days), missing: try await missing(kind, in: days).count,
            films: try await filmsWithoutDetail(kind, in: days).count)
    }

    /// - Parameter days: those of the question that have charts.
    func order(_ question: ArchiveFillRequest, in days: ClosedRange<Day>) async throws -> ArchiveFillOrder {
        let question = ArchiveFillRequest(
            question.chart, days, details: question.details, rate: question.rate)
        guard let order = try await archive.order(question, now: clock.milliseconds) else {
            throw Failure.tooManyOrders
        }
        unwrittenPause = nil
        input.yield(.change)
        return try await described(order)
    }

    /// Nil for an order that is not kept.
    func order(_ id: Int) async throws -> ArchiveFillOrder? {
        guard let order = try await archive.order(Int64(id)) else { return nil }
        return try await described(order)
    }

    /// - Returns: whether there was an order to change.
    func change(_ question: ArchiveFillChangeRequest) async throws -> Bool {
        let isChanged = try await archive.change(question.change, order: question.order)
        unwrittenPause = nil
        input.yield(.change)
        return isChanged
    }

    func status() async throws -> ArchiveStatusReply {
        let world = await collector.world.world
        var years: [ArchiveStatusReply.Year] = []
        for kind in ChartKind.allCases {
            for (year, counts) in try await archive.coverage(world, kind).sorted(by: { $0.key < $1.key }) {
                years.append(
                    ArchiveStatusReply.Year(
                        chart: kind, year: year, settled: counts[.settled] ?? 0,
                        provisional: counts[.provisional] ?? 0, empty: counts[.empty] ?? 0,
                        failed: (counts[.failed] ?? 0) + (counts[.notPublished] ?? 0)))
            }
        }
        var orders: [ArchiveFillOrder] = []
        for order in try await archive.orders() { orders.append(try await described(order)) }
        return ArchiveStatusReply(years: years, orders: orders, setAside: archive.setAside)
    }

    /// The charts of an order that are neither settled nor empty.
    func missing(_ kind: ChartKind, in days: ClosedRange<Day>) async throws -> [ChartSelection] {
        let states = try await archive.states(await collector.world.world, kind, in: firstDays(kind, days))
        return ChartSelection.all(kind, in: days).filter { states[$0.days.lowerBound]?.isFinal != true }
    }

    /// The films of an order's charts whose details are not known.
    func filmsWithoutDetail(_ kind: ChartKind, in days: ClosedRange<Day>) async throws -> [String] {
        try await archive.filmsWithoutDetail(await collector.world.world, kind, in: firstDays(kind, days))
    }

    /// From the first day of the first chart to that of the last one.
    private func firstDays(_ kind: ChartKind, _ days: ClosedRange<Day>) -> ClosedRange<Day> {
        let first = kind.days(around: days.lowerBound).lowerBound
        return first...max(first, kind.days(around: days.upperBound).lowerBound)
    }

    private func described(_ stored: FillOrder) async throws -> ArchiveFillOrder {
        // The machine of an order stays for a moment after its end is stored.
        let running = order?.id == stored.id && stored.state != .ended ? machine : nil
        var (missing, films) = (0, 0)
        switch (running, isFetchingFilms) {
        case (let running?, true): films = running.left
        case (let running?, false): missing = running.left
        case (nil, _):
            let final = try await archive.finalCharts(
                await collector.world.world, stored.chart, in: firstDays(stored.chart, stored.days))
            missing = max(0, stored.charts - final)
            if stored.details, missing == 0 {
                films = try await filmsWithoutDetail(stored.chart, in: stored.days).count
            }
        }
        var (resumesAt, failure) = (Int64?.none, stored.failure)
        let state: ArchiveFillOrder.State
        switch (stored.state, running?.pause) {
        // When the day is over, the order goes on at its next wakeup.
        case (.open, .quota(let until)) where until > clock.now(): (state, resumesAt) = (.quota, Int64(until * 1000))
        case (.open, _) where running != nil && unwrittenPause != nil: (state, failure) = (.paused, unwrittenPause)
        case (.open, _):
            let isNext = try await archive.nextOrder()?.id == stored.id
            state = running != nil || isNext ? .running : .waiting
        case (.paused, _): state = .paused
        case (.ended, _): state = .ended
        case (.cancelled, _): state = .cancelled
        }
        return ArchiveFillOrder(
            id: Int(clamping: stored.id), chart: stored.chart, days: stored.days, details: stored.details,
            rate: stored.rate, state: state, charts: stored.charts, missing: missing, films: films,
            failed: (order?.id == stored.id ? order?.failed ?? 0 : stored.failed) + (running?.failures ?? 0),
            resumesAt: resumesAt, failure: failure)
    }
}
