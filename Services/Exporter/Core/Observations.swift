import Envelope

/// What the exporter has learnt from the events: durations, and spans that wait for their receiver.
actor Observations {
    private var metrics = EventMetrics()
    private var queue = SpanQueue()
    private let sendsSpans: Bool

    /// - Parameter sendsSpans: false keeps none.
    init(sendsSpans: Bool) {
        self.sendsSpans = sendsSpans
    }

    /// - Parameter lost: the number of events that were lost before this one.
    func take(_ event: Event, lost: Int) {
        metrics.take(event, lost: lost)
        if sendsSpans, let span = Span(event) { queue.add(span) }
    }

    // MARK: Spans

    func nextBatch(now: ContinuousClock.Instant) -> [Span]? { queue.nextBatch(now: now) }

    func succeed(refusing count: Int) { queue.succeed(refusing: count) }

    func refuse() { queue.refuse() }

    /// - Returns: whether the attempt before succeeded.
    func fail(now: ContinuousClock.Instant, retryAfter: Duration?) -> Bool {
        defer { queue.fail(now: now, retryAfter: retryAfter) }
        return !queue.isBackingOff
    }

    // MARK: Metrics

    var families: [MetricFamily] { metrics.families + (sendsSpans ? spanFamilies : []) }

    private var spanFamilies: [MetricFamily] {
        var spans = MetricFamily("boxoffice_exporter_spans_total", .counter, "Spans by outcome.")
        spans.add(queue.sent, ["result": "sent"])
        spans.add(queue.dropped, ["result": "dropped"])
        spans.add(queue.refused, ["result": "refused"])
        var waiting = MetricFamily("boxoffice_exporter_waiting_spans", .gauge, "Spans that wait for the receiver.")
        waiting.add(queue.count)
        return [spans, waiting]
    }
}
