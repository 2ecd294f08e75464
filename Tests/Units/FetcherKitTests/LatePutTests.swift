import Contracts
import Domain
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct LatePutTests {
    @Test func `of two fetches the one that began later stays, in any order of the puts`() async throws {
        try await StackScene.run { stack in
            #expect(try await stack.put("began now", under: "k?1", ageMilliseconds: 0).isStored)
            let late = try await stack.put("began long ago", under: "k?1", ageMilliseconds: 5_000)
            #expect(!late.isStored && late.reason == "a newer one is stored")
            #expect(try await stack.put("began now again", under: "k?1", ageMilliseconds: nil).isStored)

            #expect(try await stack.put("began long ago", under: "k?2", ageMilliseconds: 5_000).isStored)
            #expect(try await stack.peek("k?2").age >= 5, "its age is that of the fetch")
            #expect(try await stack.put("began now", under: "k?2", ageMilliseconds: 0).isStored)
        }
    }
}
