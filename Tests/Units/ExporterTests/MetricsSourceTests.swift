import Contracts
import Envelope
import MessageBus
import ProcessKit
import Synchronization
import TestSupport
import Testing

@testable import ExporterCore

/// Scrapes of a stack of which only the cache exists, and that does not answer.
@Suite(.timeLimit(.minutes(1))) struct MetricsSourceTests {
    @Test func `scrapes that come together share one answer, which names what is missing`() async throws {
        let (held, release) = AsyncStream.makeStream(of: Void.self)
        defer { release.finish() }
        let kinds = Mutex<[String]>([])
        try await BusScene.run { scene in
            try await scene.withBroker {
                try await scene.withWorker(ServiceName.cacheStore, instance: "cache-store/1") { request in
                    kinds.withLock { $0.append(request.envelope.header.kind) }
                    for await _ in held {}
                    return []
                } _: { _ in
                    try await scene.withBus("exporter/1") { bus in
                        let source = MetricsSource(
                            bus: bus, observations: Observations(sendsSpans: false), clock: .system)
                        let texts = await withTaskGroup(of: String.self) { group in
                            for _ in 1...5 { group.addTask { await source.text() } }
                            return await group.reduce(into: Set<String>()) { $0.insert($1) }
                        }
                        let text = try #require(texts.first)
                        #expect(texts.count == 1)
                        #expect(kinds.withLock { $0.filter { $0 == CacheStatsRequest.kind }.count } == 1)
                        for line in [
                            "boxoffice_up{part=\"bus\"} 1", "boxoffice_up{part=\"cache\"} 0",
                            "boxoffice_workers{service=\"detail-fetcher\"} 0",
                        ] { #expect(text.contains("\n\(line)\n"), "\(line)") }
                        // It is no instance: nothing of its name is registered.
                        #expect(!text.contains("boxoffice_instance_missing{service=\"detail-fetcher\""))
                        #expect(
                            text.contains(
                                "boxoffice_instance_missing{service=\"cache-store\",instance=\"cache-store/1\""))
                    }
                }
            }
        }
    }

    @Test func `a chart that an earlier scrape has read does not make its part answer this one`() async throws {
        let (held, release) = AsyncStream.makeStream(of: Void.self)
        defer { release.finish() }
        let isSilent = Mutex(false)
        try await BusScene.run { scene in
            try await scene.withBroker {
                try await scene.withWorker(ServiceName.cacheStore, instance: "cache-store/1") { request in
                    if isSilent.withLock({ $0 }) { for await _ in held {} }
                    let entry = CachedEntry(key: "chart", state: .missing)
                    return (try? JSONBytes.encode(CachePeekReply(entries: [entry]))) ?? []
                } _: { _ in
                    try await scene.withBus("exporter/1") { bus in
                        let source = MetricsSource(
                            bus: bus, observations: Observations(sendsSpans: false), clock: .system)
                        #expect(await source.text().contains("\nboxoffice_up{part=\"chart\"} 1\n"))
                        isSilent.withLock { $0 = true }
                        #expect(await source.text().contains("\nboxoffice_up{part=\"chart\"} 0\n"))
                    }
                }
            }
        }
    }
}
