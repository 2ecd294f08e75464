import Testing

@testable import CacheStoreCore

@Suite struct KeyTrafficTests {
    private var traffic = KeyTraffic()

    @Test mutating func `a read without a concurrent put may be promoted`() {
        traffic.readBegan("k")
        traffic.putBegan("l")
        let mayBePromoted = traffic.readEnded("k")
        #expect(mayBePromoted)
    }

    @Test mutating func `a read during a put may not be promoted`() {
        traffic.putBegan("k")
        traffic.readBegan("k")
        _ = traffic.putEnded("k", storedAt: 1)
        let beside = traffic.readEnded("k")
        traffic.readBegan("k")
        let after = traffic.readEnded("k")
        #expect([beside, after] == [false, true])
    }

    @Test mutating func `every read that a put overtakes is marked`() {
        traffic.readBegan("k")
        traffic.readBegan("k")
        traffic.putBegan("k")
        _ = traffic.putEnded("k", storedAt: 1)
        let mayBePromoted = [traffic.readEnded("k"), traffic.readEnded("k")]
        #expect(mayBePromoted == [false, false])
    }

    @Test mutating func `of overlapping puts only the newest may enter memory`() {
        let times: [Int64?] = [5, 4, nil, 6]
        for _ in times { traffic.putBegan("k") }
        var mayEnter: [Bool] = []
        for time in times {
            #expect(traffic.isPutting("k"))
            mayEnter.append(traffic.putEnded("k", storedAt: time))
        }
        #expect(mayEnter == [true, false, false, true])
        #expect(!traffic.isPutting("k"))
    }

    @Test mutating func `ends without a beginning change nothing`() {
        let answers = [traffic.putEnded("k", storedAt: 1), traffic.readEnded("k"), traffic.isPutting("k")]
        #expect(answers == [false, false, false])
    }
}
