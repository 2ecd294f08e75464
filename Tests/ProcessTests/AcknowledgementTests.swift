import BoxOffice
import Contracts
import Envelope
import Foundation
import GRDB
import MessageBus
import Synchronization
import TestSupport
import Testing

extension ProcessTests.LifecycleTests {
    /// A cache-store that is killed again and again while it is written to.
    @Suite struct AcknowledgementTests {
        /// All 200 belong to `compose/test --all`.
        private static let kills = Repository.runsAll ? 200 : 50
        private static let writers = 8

        /// What was acknowledged, told by those who write.
        private final class Journal: Sendable {
            struct Contents {
                var puts: [String: String] = [:]
                /// The accounts of which a call was granted, each of them once.
                var takes: Set<String> = []
                var count = 0
                var isOver = false
            }

            /// How many acknowledgements there were, whenever there is another; it ends with the writing.
            let counts: AsyncStream<Int>
            private let tell: AsyncStream<Int>.Continuation
            private let mutex = Mutex(Contents())

            init() {
                (counts, tell) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
            }

            var contents: Contents { mutex.withLock { $0 } }

            func note(_ change: (inout Contents) -> Void) {
                tell.yield(
                    mutex.withLock { contents in
                        change(&contents)
                        contents.count += 1
                        return contents.count
                    })
            }

            func forget(_ key: String) { mutex.withLock { $0.puts[key] = nil } }
            func end() { mutex.withLock { $0.isOver = true } }
            func hasEnded() { tell.finish() }
        }

        @Test("what was acknowledged survives kills at random points")
        func whatWasAcknowledgedSurvives() async throws {
            try await BusScene.run { scene in
                let journal = Journal()
                try await scene.withBroker {
                    try await scene.withBus("test/1") { bus in
                        try await withThrowingTaskGroup(of: Void.self) { group in
                            group.addTask { try await write(over: bus, journal) }
                            try await killAgainAndAgain(in: scene, journal)
                            journal.end()
                            // One more life, for what is still on its way.
                            try await store(in: scene).reading { _ in try await group.waitForAll() }
                        }
                    }
                }
                try check(journal.contents, in: scene)
            }
        }

        /// Each life of the store ends without notice once a random number of requests was acknowledged.
        private func killAgainAndAgain(in scene: BusScene, _ journal: Journal) async throws {
            for _ in 0..<Self.kills {
                let goal = journal.contents.count + Int.random(in: 1...60)
                try await store(in: scene).reading { lines in
                    for await count in journal.counts where count >= goal { break }
                    #expect(kill(lines.processIdentifier, SIGKILL) == 0)
                }
            }
        }

        private func write(over bus: MessageBus, _ journal: Journal) async throws {
            defer { journal.hasEnded() }
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
                    // It may have been stored all the same, and then an earlier value of this key is not there.
                    journal.forget(key)
                    continue
                }
                guard try JSONBytes.decode(CachePutReply.self, from: reply).isStored else { continue }
                journal.note { $0.puts[key] = value }
            }
        }

        private func take(over bus: MessageBus, _ journal: Journal) async throws {
            var number = 0
            while !journal.contents.isOver {
                // Of one account the next call would make up for one that was lost.
                number += 1
                let key = "key\(number)"
                let take = QuotaTakeRequest(upstream: "KOBIS", key: key, limit: 1_000_000_000, uncounted: 0)
                guard let reply = try await ask(bus, QuotaTakeRequest.kind, take) else { continue }
                if try JSONBytes.decode(QuotaTakeReply.self, from: reply).isGranted {
                    journal.note { $0.takes.insert(key) }
                }
            }
        }

        /// - Returns: nil for a request under which three lives ended: the broker takes it for their cause, and it is not
        ///   acknowledged.
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
                // The next life took longer than the broker waits for one: a disk may be slow to bring back what the last
                // one wrote.
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
        }
    }
}
