import Contracts
import Domain
import Envelope
import Inspection
import MessageBus
import ProcessKit

/// Gathers the metrics of a stack for one scrape at a time.
actor MetricsSource {
    private let bus: MessageBus
    private let observations: Observations
    private let clock: WallClock
    private var scrape: Task<String, Never>?
    private var chart: (families: [MetricFamily], at: ContinuousClock.Instant)?

    init(bus: MessageBus, observations: Observations, clock: WallClock) {
        self.bus = bus
        self.observations = observations
        self.clock = clock
    }

    /// The text of all metrics; what does not answer in time is missing, and `boxoffice_up` says so.
    func text() async -> String {
        // Scrapes that come together share an answer.
        if let scrape { return await scrape.value }
        let task = Task { await gather() }
        scrape = task
        defer { scrape = nil }
        return await task.value
    }

    private nonisolated func gather() async -> String {
        let deadline = ContinuousClock.now + ExporterTiming.scrapeLimit
        async let stack = stackFamilies(deadline)
        async let cache = cacheFamilies(deadline)
        async let quota = quotaFamilies(deadline)
        async let archive = archiveFamilies(deadline)
        async let chart = chartFamilies(deadline)
        var parts = await [("bus", stack), ("cache", cache), ("quota", quota)]
        // What an earlier scrape has read says nothing about this one.
        let (families, isOfThisScrape) = await chart
        parts.append(("chart", isOfThisScrape || parts[1].1 != nil ? families : nil))
        var up = MetricFamily("boxoffice_up", .gauge, "Whether a part of the stack answered this scrape.")
        for (name, families) in parts { up.add(families != nil, ["part": name]) }
        var info = MetricFamily("boxoffice_exporter_info", .gauge, "The exporter, with its version.")
        info.add(1, ["version": ProductVersion.current])
        // A stack may run without an archive, which is no failure.
        let further = (await archive ?? []) + (await observations.families)
        return ([up, info] + parts.flatMap { $0.1 ?? [] } + further).text
    }

    private nonisolated func stackFamilies(_ deadline: ContinuousClock.Instant) async -> [MetricFamily]? {
        do {
            async let report = bus.stats(deadline: deadline)
            async let status = bus.workers(deadline: deadline)
            async let figures = bus.brokerStats(deadline: deadline)
            return StackMetrics.families(try await report, try await status, messages: try await figures?.messages)
        } catch {
            return nil
        }
    }

    private nonisolated func cacheFamilies(_ deadline: ContinuousClock.Instant) async -> [MetricFamily]? {
        await ask(CacheStatsRequest.kind, deadline).map { (stats: CacheStatsReply) in CacheMetrics.families(stats) }
    }

    private nonisolated func quotaFamilies(_ deadline: ContinuousClock.Instant) async -> [MetricFamily]? {
        await ask(QuotaListRequest.kind, deadline).map { (quota: QuotaListReply) in CacheMetrics.families(quota) }
    }

    private nonisolated func archiveFamilies(_ deadline: ContinuousClock.Instant) async -> [MetricFamily]? {
        await ask(ArchiveStatusRequest.kind, of: ServiceName.archive, deadline).map { (status: ArchiveStatusReply) in
            ArchiveMetrics.families(status)
        }
    }

    private func chartFamilies(
        _ deadline: ContinuousClock.Instant
    ) async -> (families: [MetricFamily]?, isOfThisScrape: Bool) {
        if let chart, .now - chart.at < ExporterTiming.chartInterval { return (chart.families, false) }
        chart = await fetchChart(deadline).map { ($0, .now) }
        return (chart?.families, true)
    }

    private nonisolated func fetchChart(_ deadline: ContinuousClock.Instant) async -> [MetricFamily]? {
        let now = clock.now()
        let selection = ChartSelection.daily(Day.yesterdayInSeoul(secondsSinceEpoch: now))
        let request = CachePeekRequest(keys: [ChartRequest(selection, isRefresh: false).cacheKey])
        guard let payload = try? JSONBytes.encode(request),
            let reply: CachePeekReply = await ask(CachePeekRequest.kind, payload: payload, deadline),
            let entry = reply.entries.first
        else { return nil }
        return CacheMetrics.families(yesterday: entry, selection, now: now)
    }

    /// The answer of a service; nil when there is none in time.
    private nonisolated func ask<Reply: Decodable>(
        _ kind: String, of service: String = ServiceName.cacheStore, payload: [UInt8] = [],
        _ deadline: ContinuousClock.Instant
    ) async -> Reply? {
        let limit = min(deadline, .now + MessageBus.inspectionLimit)
        guard let bytes = try? await bus.ask(service, kind, payload: payload, deadline: limit) else {
            return nil
        }
        return try? JSONBytes.decode(Reply.self, from: bytes)
    }
}
