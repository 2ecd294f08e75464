import Assembly
import Contracts
import Domain
import Envelope
import MessageBus
import ProcessKit
import TestSupport
import Testing

@testable import DemoUpstreamCore

@Suite("Orders to fill the archive", .timeLimit(.minutes(2)))
struct ArchiveFillTests {
    /// 2026-01-01 09:00 in Seoul.
    private static let start: Double = 1_767_225_600
    private let world = DemoWorld(seed: DemoUpstreamConfiguration().seed)

    private func ask<Reply: Decodable>(_ scene: StackScene, _ kind: String, _ question: some Encodable) async throws
        -> Reply
    {
        let request = BusRequest(
            service: ServiceName.archive, kind: kind, trace: .root(), payload: try JSONBytes.encode(question))
        let reply = try await scene.bus.request(request, deadline: .now + .seconds(10))
        if let failure = reply.envelope.header.failure { throw failure }
        return try JSONBytes.decode(Reply.self, from: reply.envelope.payload)
    }

    private func order(_ scene: StackScene, _ days: ClosedRange<Day>, rate: CallRate? = nil) async throws
        -> ArchiveFillOrder
    {
        try await ask(scene, ArchiveFillRequest.kind, ArchiveFillRequest(.daily, days, rate: rate))
    }

    private func change(_ scene: StackScene, _ change: ArchiveFillChangeRequest.Change) async throws
        -> ArchiveFillOrder?
    {
        let status: ArchiveStatusReply = try await ask(
            scene, ArchiveFillChangeRequest.kind, ArchiveFillChangeRequest(change))
        return status.orders.last
    }

    private func status(_ scene: StackScene) async throws -> ArchiveStatusReply {
        try await ask(scene, ArchiveStatusRequest.kind, [String: String]())
    }

    /// The order when it is no longer fetched.
    private func stopped(_ scene: StackScene, _ id: Int) async throws -> ArchiveFillOrder {
        while true {
            try Task.checkCancellation()
            let order: ArchiveFillOrder = try await ask(scene, ArchiveOrderRequest.kind, ArchiveOrderRequest(id))
            if order.state != .running, order.state != .waiting { return order }
        }
    }

    private func expectTruth(_ scene: StackScene, _ days: ClosedRange<Day>) async throws {
        let query = Query(bus: scene.bus, deadline: .now + .seconds(20), clock: scene.ahead.clock)
        var found: [ArchivedChart] = []
        _ = try await query.archivedCharts(.daily, in: days, calls: 0) { found += $0 }
        #expect(found.map(\.date) == Array(days))
        for chart in found where chart.source == .demo {
            let truth = world.ranking(during: chart.date...chart.date).places.prefix(10)
            #expect(chart.state == .settled)
            #expect(chart.entries.map(\.code) == truth.map(\.film.code))
            #expect(chart.entries.map(\.audience) == truth.map(\.admissions))
        }
    }

    @Test("With a quota of 40 calls a day, a hundred days take three of them, and no day is called twice")
    func quota() async throws {
        try await StackScene.run(hasArchive: true, from: Self.start, kobisLimit: 40) { scene in
            let days = "2025-09-01".day..."2025-12-09".day
            let upstream = UpstreamSwitches(base: scene.upstream)
            let calls = try await upstream.calls {
                // Six of forty calls are reserved for questions of people.
                for left in [66, 32] {
                    let order = try await order(scene, days)
                    var stopped = try await stopped(scene, order.id)
                    // Calls in flight still arrive.
                    while stopped.missing > left { stopped = try await self.stopped(scene, order.id) }
                    #expect(stopped.state == .quota && stopped.missing == left, "\(stopped)")
                    // 00:05 in Seoul.
                    #expect((stopped.resumesAt ?? 0) % 86_400_000 == (15 * 3600 + 300) * 1000)
                    scene.ahead.advance(86_400)
                }
                let last = try await order(scene, days)
                #expect(try await stopped(scene, last.id).state == .ended)
            }
            #expect(calls == [UpstreamSwitches.chartPath: 100])
            try await expectTruth(scene, days)
            let years = try await status(scene).years
            #expect(years.first { $0.chart == .daily && $0.year == 2025 }?.settled == 100)
        }
    }

    @Test("A paused order makes room for the next one, and goes on when it is resumed")
    func pause() async throws {
        try await StackScene.run(hasArchive: true, from: Self.start) { scene in
            let slow = try await order(scene, "2025-09-01".day..."2025-09-30".day, rate: 1)
            let next = try await order(scene, "2025-10-01".day..."2025-10-03".day)
            #expect(next.state == .waiting && next.id != slow.id)
            #expect(try await order(scene, "2025-09-01".day..."2025-09-30".day, rate: 100).id == slow.id)
            _ = try await change(scene, .pause)
            let paused = try await stopped(scene, slow.id)
            #expect(paused.state == .paused && paused.missing > 0)
            let resumed: ArchiveStatusReply = try await ask(
                scene, ArchiveFillChangeRequest.kind, ArchiveFillChangeRequest(.resume, order: next.id))
            #expect(resumed.orders.contains { $0.id == next.id })
            #expect(try await stopped(scene, next.id).state == .ended)
            _ = try await change(scene, .cancel)
            #expect(try await stopped(scene, slow.id).state == .cancelled)
            let none = ArchiveFillChangeRequest(.resume)
            await #expect(throws: Failure.self) {
                let _: ArchiveStatusReply = try await ask(scene, ArchiveFillChangeRequest.kind, none)
            }
        }
    }

    @Test("Joining a running order adds details to it")
    func joining() async throws {
        try await StackScene.run(hasArchive: true, from: Self.start) { scene in
            let days = "2025-09-01".day..."2025-09-05".day
            let first = try await order(scene, days, rate: 1)
            let joined: ArchiveFillOrder = try await ask(
                scene, ArchiveFillRequest.kind, ArchiveFillRequest(.daily, days, details: true, rate: nil))
            #expect(joined.id == first.id && joined.details)
            let ended = try await stopped(scene, first.id)
            #expect(ended.state == .ended && ended.missing == 0)
            let left: ArchiveEstimateReply = try await ask(
                scene, ArchiveEstimateRequest.kind, ArchiveEstimateRequest(.daily, days))
            #expect(left == ArchiveEstimateReply(charts: 5, missing: 0, films: 0))
        }
    }

    @Test("An order that has ended is found by its number as long as it is kept")
    func number() async throws {
        try await StackScene.run(hasArchive: true, from: Self.start) { scene in
            let first = try await order(scene, "2025-09-01".day..."2025-09-01".day)
            for day in 2...6 {
                let order = try await order(scene, "2025-09-0\(day)".day..."2025-09-0\(day)".day)
                _ = try await stopped(scene, order.id)
            }
            let found: ArchiveFillOrder = try await ask(scene, ArchiveOrderRequest.kind, ArchiveOrderRequest(first.id))
            #expect(found.state == .ended && found.days == first.days)
            await #expect(throws: Failure.self) {
                let _: ArchiveFillOrder = try await ask(scene, ArchiveOrderRequest.kind, ArchiveOrderRequest(99))
            }
        }
    }

    @Test("The details of the charts' films follow the charts, each once; what others fetch is archived, too")
    func details() async throws {
        try await StackScene.run(hasArchive: true, from: Self.start) { scene in
            let days = "2025-09-01".day..."2025-09-07".day
            let upstream = UpstreamSwitches(base: scene.upstream)
            let codes = Set(days.flatMap { world.ranking(during: $0...$0).places.prefix(10).map(\.film.code) })
            let estimate = ArchiveEstimateRequest(.daily, days)
            let calls = try await upstream.calls {
                let request = ArchiveFillRequest(.daily, days, details: true, rate: nil)
                let order: ArchiveFillOrder = try await ask(scene, ArchiveFillRequest.kind, request)
                let ended = try await stopped(scene, order.id)
                #expect(ended.state == .ended && ended.films == 0 && ended.failed == 0, "\(ended)")
                let left: ArchiveEstimateReply = try await ask(scene, ArchiveEstimateRequest.kind, estimate)
                #expect(left == ArchiveEstimateReply(charts: 7, missing: 0, films: 0))
            }
            #expect(calls == [UpstreamSwitches.chartPath: 7, UpstreamSwitches.detailPath: codes.count])
            let next = ArchiveEstimateRequest(.daily, "2025-06-15".day..."2025-06-15".day)
            let query = Query(bus: scene.bus, deadline: .now + .seconds(20), clock: scene.ahead.clock)
            _ = try await query.show(.daily("2025-06-15".day), top: 10)
            while try await ask(scene, ArchiveEstimateRequest.kind, next)
                != ArchiveEstimateReply(charts: 1, missing: 0, films: 0)
            {
                try Task.checkCancellation()
            }
        }
    }

    /// Six stacks at a time: each waits some seconds for the next attempt of an order.
    @Test("A refused key pauses the order; what else an upstream answers is tried again, and nothing wrong is archived")
    func faults() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (index, fault) in Fault.allCases.filter({ $0 != .none && $0 != .slow }).enumerated() {
                if index >= 6 { try await group.next() }
                group.addTask { try await expectTruth(after: fault) }
            }
            try await group.waitForAll()
        }
    }

    private func expectTruth(after fault: Fault) async throws {
        try await StackScene.run(hasArchive: true, hasBreakers: false, from: Self.start) { scene in
            let days = "2025-09-01".day..."2025-09-01".day
            let upstream = UpstreamSwitches(base: scene.upstream)
            let first = try await upstream.withFault(fault.rawValue) {
                let refused = try await order(scene, days)
                let stopped = try await stopped(scene, refused.id)
                if fault == .key { #expect(stopped.state == .paused && stopped.failure == .keyRejected, "\(stopped)") }
                #expect(stopped.state != .ended || stopped.failed == stopped.missing, "\(fault): \(stopped)")
                return refused
            }
            // The calls of a day that was refused are used up.
            if fault == .quota || fault == .platformQuota { scene.ahead.advance(86_400) }
            let again = try await order(scene, days)
            #expect(first.id == again.id || fault != .key)
            let ended = try await stopped(scene, again.id)
            #expect(ended.state == .ended, "\(fault): \(ended)")
            try await expectTruth(scene, days)
        }
    }
}
