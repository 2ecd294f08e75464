import Testing

@testable import CacheStoreCore

@Suite struct KeyTrafficTests {
    private var traffic = KeyTraffic()

    @Test mutating func aReadAloneMayBePromoted() {
        traffic.readBegan("k")
        traffic.putBegan("l")
        let mayBePromoted = traffic.readEnded("k")
        #expect(mayBePromoted)
    }

    @Test mutating func aReadBesideAPutMayNotBePromoted() {
        traffic.putBegan("k")
        traffic.readBegan("k")
        _ = traffic.putEnded("k", storedAt: 1)
        let beside = traffic.readEnded("k")
        traffic.readBegan("k")
        let after = traffic.readEnded("k")
        #expect([beside, after] == [false, true])
    }

    @Test mutating func everyReadThatAPutOvertakesIsMarked() {
        traffic.readBegan("k")
        traffic.readBegan("k")
        traffic.putBegan("k")
        _ = traffic.putEnded("k", storedAt: 1)
        let mayBePromoted = [traffic.readEnded("k"), traffic.readEnded("k")]
        #expect(mayBePromoted == [false, false])
    }

    @Test mutating func ofPutsThatOverlapOnlyTheNewestMayGoToMemory() {
        let times: [Int64?] = [5, 4, nil, 6]
        for _ in times { traffic.putBegan("k") }
        var mayGo: [Bool] = []
        for time in times {
            #expect(traffic.isPutting("k"))
            mayGo.append(traffic.putEnded("k", storedAt: time))
        }
        #expect(mayGo == [true, false, false, true])
        #expect(!traffic.isPutting("k"))
    }

    @Test mutating func whatNeverBeganChangesNothing() {
        let answers = [traffic.putEnded("k", storedAt: 1), traffic.readEnded("k"), traffic.isPutting("k")]
        #expect(answers == [false, false, false])
    }
}
