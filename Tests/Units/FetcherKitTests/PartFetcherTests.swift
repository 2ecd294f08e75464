import Contracts
import Envelope
import Logging
import MessageBus
import ServiceKit
import TestSupport
import Testing
import Upstream

@testable import FetcherKit

@Suite(.timeLimit(.minutes(2))) struct PartFetcherTests {
    @Test func `a repeated identical request costs no call`() async throws {
        try await StackScene.run { stack in
            let first = try await stack.chart("2019-05-05")
            let second = try await stack.chart("2019-05-05")
            #expect(first.header.cache?.fwd == .uriMiss)
            #expect(first.header.cache?.stored == true)
            #expect(second.header.cache?.hit == true)
            #expect(second.payload == first.payload)
            #expect(try await stack.calls("searchDaily") == 1)
        }
    }

    @Test func `a fetch costs the cache two requests: a lease with its first call, and the put`() async throws {
        try await StackScene.run { stack in
            let before = try await stack.stats(ServiceName.cacheStore).requests
            let answer = try await stack.chart("2019-03-15")
            let requests = try await stack.stats(ServiceName.cacheStore).requests - before
            #expect(answer.header.cache?.stored == true && requests == 2)
            // A hit takes no call.
            _ = try await stack.chart("2019-03-15")
            let list = try await stack.ask(ServiceName.cacheStore, QuotaListRequest.kind, [String: String]())
            let accounts = try JSONBytes.decode(QuotaListReply.self, from: list.payload).accounts
            #expect(accounts.map(\.used) == [1])
        }
    }

    @Test func `who has more time than the fetch that it joined fetches again`() async throws {
        try await StackScene.run { stack in
            let parts = PartFetcher(bus: stack.bus, retry: UpstreamRetry(), logger: Logger(label: "test"))
            let (began, begin) = AsyncStream.makeStream(of: Void.self)
            async let first = parts.answer(key: "test", isRefresh: false, trace: .root(.web), meter: UpstreamMeter()) {
                terms in
                begin.finish()
                while await terms.trace().requestClass != .interactive { await Task.yield() }
                throw UpstreamError(.timeout, "late")
            }
            for await _ in began {}
            // It joins, by which the class of the fetch rises.
            let second = await parts.answer(
                key: "test", isRefresh: false, trace: .root(), meter: UpstreamMeter(),
                callerDeadline: .now + .seconds(30)
            ) { _ in FetchedPart(value: [1], freshFor: .seconds(60)) }
            let failure = await first.failure?.code
            #expect(failure == .upstreamTimeout)
            #expect(second.status == .ok && second.payload == [1])
        }
    }

    @Test(
        arguments: ["html", "half-json", "empty", "other-json"])
    func `a malformed body with HTTP 200 is never cached`(fault: String) async throws {
        try await StackScene.run { stack in
            try await stack.setUpstreamFault(fault)
            let bad = try await stack.chart("2019-05-05")
            #expect(bad.header.status == .failed)
            #expect(try await stack.peek("chart.daily?date=2019-05-05").state == .missing)
            try await stack.setUpstreamFault("none")
            #expect(try await stack.chart("2019-05-05").header.status == .ok)
        }
    }

    @Test func `many requests to two instances cause one call`() async throws {
        try await StackScene.run { stack in
            let payloads = try await withThrowingTaskGroup(of: [UInt8].self) { group in
                for _ in 0..<30 { group.addTask { try await stack.chart("2019-05-06").payload } }
                return try await group.reduce(into: Set<[UInt8]>()) { $0.insert($1) }
            }
            #expect(payloads.count == 1)
            #expect(try await stack.calls("searchDaily") == 1)
        }
    }

    @Test func `an upstream slower than the budget is waited for while the caller has time, with one call`()
        async throws
    {
        var retry = UpstreamRetry()
        (retry.budget, retry.usualAttempt) = (.milliseconds(200), .milliseconds(100))
        try await StackScene.run(retry: retry) { stack in
            let answer = try await UpstreamSwitches(base: stack.upstream).withLatency(milliseconds: 1_600) {
                try await stack.chart("2019-05-05")
            }
            #expect(answer.header.status == .ok)
            #expect(try await stack.calls("searchDaily") == 1)
        }
    }

    @Test func `a stale value is fetched again`() async throws {
        try await StackScene.run { stack in
            _ = try await stack.chart("2019-05-05")
            stack.ahead.advance(40 * 86_400)
            #expect(try await stack.peek("chart.daily?date=2019-05-05").state == .stale)
            let second = try await stack.chart("2019-05-05")
            #expect(second.header.cache?.fwd == .stale)
            #expect(try await stack.calls("searchDaily") == 2)
        }
    }

    @Test func `when the fetch fails, a stale value is answered with the failure`() async throws {
        try await StackScene.run { stack in
            let first = try await stack.chart("2019-05-05")
            stack.ahead.advance(40 * 86_400)
            try await stack.setUpstreamFault("error500")
            let second = try await stack.chart("2019-05-05")
            #expect(second.header.status == .stale)
            #expect(second.header.failure?.code == .upstreamHTTP)
            #expect(second.payload == first.payload)
        }
    }

    @Test func `a refresh bypasses a fresh value and stores the new one`() async throws {
        try await StackScene.run { stack in
            _ = try await stack.chart("2019-05-05")
            let second = try await stack.chart("2019-05-05", isRefresh: true)
            #expect(second.header.cache?.fwd == .bypass)
            #expect(second.header.cache?.stored == true)
            #expect(try await stack.calls("searchDaily") == 2)
        }
    }

    @Test func `without a cache the answer states that it is uncached`() async throws {
        try await StackScene.run(hasCache: false) { stack in
            let answer = try await stack.chart("2019-05-05")
            #expect(answer.header.status == .ok)
            #expect(answer.header.cache?.detail?.contains("uncached") == true)
        }
    }

    /// While a stack is replaced, a request for the cache may be lost as often as the bus repeats it.
    @Test func `a cache that dies at each request is done without`() async throws {
        try await StackScene.run(hasCache: false) { stack in
            try await withThrowingTaskGroup(of: Void.self) { caches in
                for number in 1...3 {
                    caches.addTask { try await stack.withBus("cache-store/\(number)", dieAtFirstRequest) }
                }
                while try await stack.bus.workers(deadline: .now + .seconds(20)).workers
                    .count(where: { $0.service == ServiceName.cacheStore }) < 3
                {}
                let answer = try await stack.chart("2019-05-05")
                #expect(answer.header.status == .ok, "\(answer.header)")
                #expect(answer.header.cache?.detail?.contains("uncached") == true)
                caches.cancelAll()
            }
        }
    }

    private func dieAtFirstRequest(_ bus: MessageBus) async throws {
        let asked = AsyncStream.makeStream(of: Void.self)
        await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                try await bus.worker(BusWorkerOptions(service: ServiceName.cacheStore, capacity: 1)).serve { request in
                    asked.continuation.yield()
                    // Until the process of this cache ends, which cancels it.
                    try? await Task.sleep(for: .seconds(60))
                    return request.envelope
                }
            }
            for await _ in asked.stream { break }
            group.cancelAll()
        }
    }

    @Test func `a search without hits is an immediate answer`() async throws {
        try await StackScene.run { stack in
            let answer = try await stack.poster("그런 영화는 없습니다 xyz")
            #expect(answer.header.status == .failed)
            #expect(answer.header.failure?.code == .noHits)
        }
    }

    @Test func `no failure contains the API key`() async throws {
        try await StackScene.run { stack in
            for fault in ["key", "quota", "html", "error500", "truncated"] {
                try await stack.setUpstreamFault(fault)
                for answer in [try await stack.chart("2018-01-01"), try await stack.poster("\(fault) 제목")] {
                    let text = String(decoding: try JSONBytes.encode(answer.header), as: UTF8.self)
                    #expect(answer.header.status == .failed)
                    #expect(!text.contains(StackScene.key))
                }
            }
        }
    }
}
