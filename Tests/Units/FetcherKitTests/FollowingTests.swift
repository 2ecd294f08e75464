import Contracts
import Domain
import Envelope
import TestSupport
import Testing

/// A peek that follows a chart to its films.
@Suite(.timeLimit(.minutes(1))) struct FollowingTests {
    private static let chart = "chart.daily?date=2022-01-05"
    private static let prefixes = ["movie.detail?code=", "poster.find?code="]

    private func peek(
        _ scene: StackScene, limit: ItemLimit = 10, prefixes: [String] = prefixes
    ) async throws -> (entries: [CachedEntry], lengths: [Int]?, attachments: [[UInt8]]) {
        let request = CachePeekRequest(
            keys: [Self.chart], following: .init(attribute: "films", limit: limit, prefixes: prefixes))
        let envelope = try await scene.ask(ServiceName.cacheStore, CachePeekRequest.kind, request)
        let reply = try JSONBytes.decode(CachePeekReply.self, from: envelope.payload)
        return (reply.entries, reply.lengths, envelope.attachments)
    }

    @Test func `a peek returns a chart and its films, their stored values in one attachment`() async throws {
        try await StackScene.run { scene in
            try await scene.put("chart", under: Self.chart, attributes: ["films": "a,b,c"])
            try await scene.put("film a", under: "movie.detail?code=a")
            try await scene.put("poster b", under: "poster.find?code=b")
            // A pinned value takes precedence over a stored one.
            _ = try await scene.ask(
                ServiceName.cacheStore, CachePinRequest.kind,
                CachePinRequest(key: "poster.find?code=b", source: .upstream),
                attachments: [Array("pinned".utf8)])
            let (entries, lengths, attachments) = try await peek(scene, limit: 2)
            #expect(
                entries.map(\.key) == [
                    Self.chart, "movie.detail?code=a", "poster.find?code=a", "movie.detail?code=b",
                    "poster.find?code=b",
                ])
            #expect(entries.map(\.state) == [.fresh, .fresh, .missing, .missing, .fresh])
            #expect(lengths == [5, 6, 6] && attachments == [Array("chartfilm apinned".utf8)])
        }
    }

    @Test func `pinned values, stored or not, do not hide other values`() async throws {
        try await StackScene.run { scene in
            let keys = (1...6).map { "poster.find?code=\($0)" }
            for key in [keys[0], keys[3], keys[5]] { try await scene.put("stored", under: key) }
            for key in [keys[0], keys[2]] {
                _ = try await scene.ask(
                    ServiceName.cacheStore, CachePinRequest.kind, CachePinRequest(key: key, source: .upstream),
                    attachments: [Array("pinned".utf8)])
            }
            // A key that is requested twice is reported twice.
            let request = CachePeekRequest(keys: keys + [keys[0]])
            let envelope = try await scene.ask(ServiceName.cacheStore, CachePeekRequest.kind, request)
            let reply = try JSONBytes.decode(CachePeekReply.self, from: envelope.payload)
            #expect(reply.entries.map(\.key) == request.keys)
            #expect(reply.entries.map(\.state) == [.fresh, .missing, .fresh, .fresh, .missing, .fresh, .fresh])
            #expect(
                envelope.attachments == ["pinned", "pinned", "stored", "stored", "pinned"].map { Array($0.utf8) })
        }
    }

    @Test func `without the first key, or its attribute, nothing follows`() async throws {
        try await StackScene.run { scene in
            let missing = try await peek(scene)
            #expect(missing.entries.map(\.state) == [.missing] && missing.lengths == [])
            #expect(missing.attachments.map(\.count) == [0])
            try await scene.put("chart", under: Self.chart)
            #expect(try await peek(scene).entries.count == 1)
        }
    }

    @Test func `the number of followed keys is limited to those of one reply`() async throws {
        try await StackScene.run { scene in
            let films = (0..<5000).map(String.init).joined(separator: ",")
            try await scene.put("chart", under: Self.chart, attributes: ["films": films])
            #expect(try await peek(scene, limit: 1_000).entries.count == CachePeekRequest.maxKeys)
            let prefixes = (0..<5000).map { "\($0)?" }
            #expect(try await peek(scene, limit: 1_000, prefixes: prefixes).entries.count == CachePeekRequest.maxKeys)
            #expect(try await peek(scene, limit: 0).entries.count == 1)
            #expect(try await peek(scene, prefixes: []).entries.count == 1)
        }
    }

    @Test func `values that exceed a frame are sent in one frame each`() async throws {
        try await StackScene.run { scene in
            let large = String(repeating: "x", count: 900_000)
            try await scene.put(large, under: Self.chart, attributes: ["films": "a,b"])
            for code in ["a", "b"] { try await scene.put(large, under: "movie.detail?code=\(code)") }
            let (entries, lengths, attachments) = try await peek(scene)
            #expect(entries.count == 5 && lengths == nil && attachments.map(\.count) == [900_000, 900_000, 900_000])
        }
    }
}
