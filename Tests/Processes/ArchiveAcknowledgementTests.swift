import Contracts
import Domain
import Envelope
import Foundation
import GRDB
import MessageBus
import Synchronization
import TestSupport
import Testing

extension ProcessTests.LifecycleTests {
    /// An archive that is killed repeatedly while charts are asked of it.
    @Suite struct ArchiveAcknowledgementTests {
        private static let kills = 40
        private static let askers = 4
        fileprivate static let firstDay = Day(daysSinceEpoch: 12_418)

        /// The charts that were answered, by their day.
        private final class Journal: Sendable {
            /// Their number, after each one.
            let counts: AsyncStream<Int>
            private let continuation: AsyncStream<Int>.Continuation
            private let charts = Mutex<[Day: [ChartEntry]]>([:])
            private let begun = Atomic(0)

            init() { (counts, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1)) }

            var contents: [Day: [ChartEntry]] { charts.withLock(\.self) }

            /// Each day is asked for once.
            func nextDay() -> Day {
                ArchiveAcknowledgementTests.firstDay.advanced(by: begun.add(1, ordering: .relaxed).oldValue)
            }

            func record(_ chart: ArchivedChart) {
                continuation.yield(
                    charts.withLock { charts in
                        charts[chart.date] = chart.entries
                        return charts.count
                    })
            }
        }

        @Test func `no chart that was answered is lost by kills at random points`() async throws {
            try await TestStack.run(["archive=0"]) { stack in
                let journal = Journal()
                let configuration = BusConfiguration(stack.transport, instance: "test/\(getpid())")
                try await withMessageBus(configuration) { bus in
                    try await withThrowingTaskGroup(of: Void.self) { group in
                        for _ in 0..<Self.askers { group.addTask { try await ask(bus, journal) } }
                        for _ in 0..<Self.kills {
                            let goal = journal.contents.count + Int.random(in: 1...20)
                            try await archive(of: stack).reading { lines in
                                for await count in journal.counts where count >= goal { break }
                                #expect(kill(lines.processIdentifier, SIGKILL) == 0)
                            }
                        }
                        group.cancelAll()
                    }
                }
                try await check(journal.contents, of: stack)
            }
        }

        private func archive(of stack: TestStack) throws -> Command {
            Command(
                path: try Repository.binaries + "/archive", arguments: [],
                environment: [
                    "BOXOFFICE_RUN": stack.runFolder, "BOXOFFICE_DATA_DIR": stack.runFolder + "/data",
                    "BOXOFFICE_INSTANCE": "archive/1", "BOXOFFICE_ARCHIVE_LOOKS": "0",
                ])
        }

        private func ask(_ bus: MessageBus, _ journal: Journal) async throws {
            while !Task.isCancelled {
                let day = journal.nextDay()
                let question = ArchiveChartsRequest(.daily, day...day, calls: 1)
                let request = BusRequest(
                    service: ServiceName.archive, kind: ArchiveChartsRequest.kind, trace: .root(),
                    payload: try JSONBytes.encode(question))
                do {
                    let reply = try await bus.request(request, deadline: .now + .seconds(60))
                    let page = try JSONBytes.decode(ArchiveChartsReply.self, from: reply.envelope.payload)
                    if let chart = page.charts.first, chart.state == .settled { journal.record(chart) }
                } catch is Failure {
                    // It was not answered: the archive was killed, or starts.
                }
            }
        }

        private func check(_ answered: [Day: [ChartEntry]], of stack: TestStack) async throws {
            #expect(answered.count > Self.kills)
            let archive = try DatabaseQueue(path: stack.runFolder + "/data/archive.sqlite")
            let stored = try await archive.read { db in
                #expect(try String.fetchOne(db, sql: "PRAGMA integrity_check") == "ok")
                let rows = try Row.fetchAll(
                    db, sql: "SELECT day, code, audienceTotal FROM chart_entry ORDER BY rowNumber")
                return Dictionary(grouping: rows) { $0[0] as String }.mapValues {
                    $0.map { "\($0[1] as String) \($0[2] as Int)" }
                }
            }
            let lost = answered.filter { day, entries in
                stored[day.iso] != entries.map { "\($0.code) \($0.audienceTotal)" }
            }
            #expect(lost.isEmpty, "of \(answered.count)")
        }
    }
}
