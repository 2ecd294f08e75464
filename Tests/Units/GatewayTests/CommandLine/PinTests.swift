import TestSupport
import Testing

/// `gateway poster pin` and `unpin`.
@Suite(.timeLimit(.minutes(1)), .scene()) struct PinTests {
    private struct Candidates: Decodable {
        struct Candidate: Decodable, Equatable {
            let imageURL: String
        }

        let candidates: [Candidate]
        let pinned: Int?
    }

    private struct Pinned: Decodable {
        struct Poster: Decodable {
            let imageURL: String
            let number: Int
        }

        let poster: Poster
    }

    let scene: GatewayScene

    init() throws {
        scene = try GatewayScene.shared
    }

    @Test func `the numbers stay the same, and the pinned image is marked`() async throws {
        await scene.answered("show 2019-03-15")
        let before: Candidates = try await scene.answered("poster pin 20199001 --json").decoded()
        try #require(before.candidates.count > 2 && before.pinned == nil)
        // The second time it is the same image again.
        for _ in 0..<2 {
            let pin: Pinned = try await scene.answered("poster pin 20199001 3 --json").decoded()
            #expect(pin.poster.imageURL == before.candidates[2].imageURL && pin.poster.number == 3)
        }
        let after: Candidates = try await scene.answered("poster pin 20199001 --json").decoded()
        #expect(after.candidates == before.candidates && after.pinned == 3)
        let list = await scene.answered("poster pin 20199001").lines.dropLast()
        #expect(list.map { $0.hasPrefix("* ") } == list.indices.map { $0 == 2 })
        await scene.answered("poster unpin 20199001")
        #expect(await !scene.answered("poster pin 20199001").output.contains("*"))
    }

    @Test func `a film is named by its rank or title, too`() async throws {
        await scene.answered("show 2019-03-15")
        let byRank = await scene.answered("poster pin #1 2 --date 2019-03-15")
        #expect(await scene.answered("poster pin --date 2019-03-15", "유리 등대", "2").output == byRank.output)
        #expect(await scene.answered("poster unpin #1 --date 2019-03-15 --lang en").output == "Unpinned.\n")
        let several = await scene.gateway("poster pin 의 --date 2019-03-15")
        #expect(several.status == 66 && several.errors.contains("여러 편이 있습니다"), "\(several)")
    }

    @Test func `only a found poster can be pinned`() async {
        let unknown = await scene.gateway("poster pin 20000001 --lang en")
        #expect(
            unknown.status == 66 && unknown.errors.contains("No poster of 20000001 has been found yet"), "\(unknown)")
        await scene.answered("show 2019-03-15")
        let beyond = await scene.gateway("poster pin 20199001 99")
        #expect(beyond.status == 66 && beyond.errors.contains("99번 후보는 없습니다"), "\(beyond)")
    }
}
