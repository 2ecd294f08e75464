import Contracts
import Domain
import Envelope
import Foundation
import GRDB
import Majordomo
import MessageBus
import Synchronization
import TestSupport
import Testing

extension ProcessTests.LifecycleTests {
    /// A cache-store that is killed repeatedly while clients write to it.
    @Suite struct AcknowledgementTests {
        /// `compose/test --all` runs all 200.
        private static let kills = Repository.runsAll ? 200 : 50
        private static let writers = 8

        /// What was acknowledged, recorded by the writers.
        private final class Journal: Sendable {
            struct Contents {
                var puts: [String: String] = [:]
                /// The accounts for which a call was granted, one call each.
                var takes: Set<String> = []
                /// Calls granted to the account that all of them share, whose calls are counted ahead.
                var sharedTakes = 0
                var count = 0
                var isOver = false
            }

            /// The number of acknowledgements, after each one; finishes when the writers end.
            let counts: AsyncStream<Int>
            private let continuation: AsyncStream<Int>.Continuation
            private let mutex = Mutex(Contents())

            init() {
                (counts, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
            }

            var contents: Contents { mutex.withLock { $0 } }

            func record(_ change: (inout Contents) -> Void) {
                continuation.yield(
                    mutex.withLock { contents in
                        change(&contents)
                        contents.count += 1
                        return contents.count
                    })
            }

            func forget(_ key: String) { mutex.withLock { $0.puts[key] = nil } }
            func end() { mutex.withLock { $0.isOver = true } }
            func finish() { continuation.finish() }
        }

        @Test func `what was acknowledged survives kills at random points`() async throws {
            try await BusScene.run { scene in
                let journal = Journal()
                try await scene.withBroker {
                    try await scene.withBus("test/1") { bus in
                        try await withThrowingTaskGroup(of: Void.self) { group in
                            group.addTask { try await write(over: bus, journal) }
                            try await killRepeatedly(in: scene, journal)
                            journal.end()
                            // One more run of the store, for requests that are still in flight.
                            try await store(in: scene).reading { _ in try await group.waitForAll() }
                        }
                    }
                }
                try check(journal.contents, in: scene)
            }
        }

        /// Kills each run of the store after a random number of acknowledged requests.
        private func killRepeatedly(in scene: BusScene, _ journal: Journal) async throws {
            for _ in 0..<Self.kills {
                let goal = journal.contents.count + Int.random(in: 1...60)
                try await store(in: scene).reading { lines in
                    for await count in journal.counts where count >= goal { break }
                    #expect(kill(lines.processIdentifier, SIGKILL) == 0)
                }
            }
        }

        private func write(over bus: MessageBus, _ journal: Journal) async throws {
            defer { journal.finish() }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for writer in 0..<Self.writers { group.addTask { try await put(as: writer, over: bus, journal) } }
                group.addTask { try await take(over: bus, journal) }
                try await group.waitForAll()
            }
        }

        private func store(in scene: BusScene) throws -> Command {
            Command(
                path: try Repository.binaries + "/cache-store", arguments: ["--broker", scene.endpoints.requests],
                environment: [
                    "BOXOFFICE_RUN": scene.folder, "BOXOFFICE_CACHE_DIR": scene.folder + "/cache",
                    "BOXOFFICE_INSTANCE": "cache-store/1",
                ])
        }

        private func put(as writer: Int, over bus: MessageBus, _ journal: Journal) async throws {
            var number = 0
            while !journal.contents.isOver {
                number += 1
                let key = "movie.detail?code=\(writer)-\(number % 500)"
                let value = "\(number) " + String(repeating: "\(writer)", count: number % 6_000)
                let put = CachePutRequest(
                    key: key, lease: nil, freshFor: 3_600, attributes: [:], holder: "test/1", ageMilliseconds: 0)
                guard let reply = try await ask(bus, CachePutRequest.kind, put, attachments: [Array(value.utf8)])
                else {
                    // The value may be stored nevertheless; then the key no longer has its earlier value.
                    journal.forget(key)
                    continue
                }
                guard try JSONBytes.decode(CachePutReply.self, from: reply).isStored else { continue }
                journal.record { $0.puts[key] = value }
            }
        }

        private func take(over bus: MessageBus, _ journal: Journal) async throws {
            var number = 0
            while !journal.contents.isOver {
                // A new account each time: within one account the next call would hide a lost one.
                number += 1
                let key = "key\(number)"
                let take = QuotaTakeRequest(upstream: "KOBIS", key: key, limit: 1_000_000_000, uncounted: 0)
                guard let reply = try await ask(bus, QuotaTakeRequest.kind, take) else { continue }
                if try JSONBytes.decode(QuotaTakeReply.self, from: reply).isGranted {
                    journal.record { $0.takes.insert(key) }
                }
                // Another limit each time: one that three kills have met would be quarantined, and all of its equals.
                let shared = QuotaTakeRequest(
                    upstream: "KOBIS", key: "shared", limit: CallLimit(clamping: 1_000_000_000 - number), uncounted: 0)
                guard let reply = try await ask(bus, QuotaTakeRequest.kind, shared) else { continue }
                if try JSONBytes.decode(QuotaTakeReply.self, from: reply).isGranted {
                    journal.record { $0.sharedTakes += 1 }
                }
            }
        }

        /// - Returns: nil for a request during which three runs of the store ended: the broker quarantines it, and it
        ///   has no acknowledgement.
        private func ask(
            _ bus: MessageBus, _ kind: String, _ payload: some Encodable, attachments: [[UInt8]] = []
        ) async throws -> [UInt8]? {
            let request = BusRequest(
                service: ServiceName.cacheStore, kind: kind, trace: .root(), payload: try JSONBytes.encode(payload),
                attachments: attachments)
            do {
                return try await bus.request(request, deadline: .now + .seconds(60)).envelope.payload
            } catch let failure as Failure where failure.code == .workerLost {
                return nil
            } catch let failure as Failure where failure.code == .unavailable {
                // The next run started later than the broker waits: recovery on a slow disk takes time.
                return try await ask(bus, kind, payload, attachments: attachments)
            }
        }

        private func check(_ contents: Journal.Contents, in scene: BusScene) throws {
            #expect(contents.puts.count > Self.kills && contents.takes.count > Self.kills)
            let cache = try DatabaseQueue(path: scene.folder + "/cache/cache.sqlite")
            let stored = try cache.read { db in
                #expect(try String.fetchOne(db, sql: "PRAGMA integrity_check") == "ok")
                let rows = try Row.fetchAll(db, sql: "SELECT key, value FROM entry JOIN payload USING (id)")
                return Dictionary(
                    uniqueKeysWithValues: rows.map { row in
                        (
                            String(decoding: row[0] as Data, as: UTF8.self),
                            String(decoding: row[1] as Data, as: UTF8.self)
                        )
                    })
            }
            let lost = contents.puts.filter { stored[$0.key] != $0.value }
            #expect(lost.isEmpty, "of \(contents.puts.count)")
            let state = try DatabaseQueue(path: scene.folder + "/cache/state.sqlite")
            let counted = try state.read { db in
                #expect(try String.fetchOne(db, sql: "PRAGMA integrity_check") == "ok")
                return try Set(String.fetchAll(db, sql: "SELECT key FROM quota WHERE used > 0"))
            }
            let uncounted = contents.takes.subtracting(counted)
            #expect(uncounted.isEmpty, "of \(contents.takes.count)")
            let used = try state.read { db in
                try Int.fetchOne(db, sql: "SELECT used FROM quota WHERE key = 'shared'")
            }
            // On a busy machine few calls fit between two kills.
            #expect(used ?? 0 >= contents.sharedTakes && contents.sharedTakes > Self.kills / 5)
        }
    }
}
