import CacheStoreMachine
import Testing

@Suite struct RecencyListTests {
    @Test func `the oldest key is the least recently used`() {
        var list = RecencyList<String, Int>()
        for (value, key) in ["a", "b", "c"].enumerated() { list.set(value, for: key) }
        #expect(list.keysFromOldest == ["a", "b", "c"])
        #expect(list.use("a") == 0)
        #expect(list.peek("b") == 1)
        #expect(list.change("c") { $0 += 10 } != nil)
        #expect(list.keysFromOldest == ["b", "c", "a"])
        #expect(list.oldest?.key == "b")
        #expect(list.set(20, for: "b") == 1)
        #expect(list.keysFromOldest == ["c", "a", "b"])
        #expect(list.peek("c") == 12)
    }

    @Test func `absent keys change nothing`() {
        var list = RecencyList<String, Int>()
        #expect(list.use("a") == nil)
        #expect(list.remove("a") == nil)
        #expect(list.change("a") { $0 += 1 } == nil)
        #expect(list.oldest == nil)
        #expect(list.isEmpty)
    }

    @Test(arguments: UInt64(1)...20)
    func `the list is equivalent to an array`(seed: UInt64) {
        var random = SplitMix64(state: seed)
        var list = RecencyList<Int, Int>()
        var model: [(key: Int, value: Int)] = []
        for step in 0..<500 {
            let key = Int.random(in: 0..<12, using: &random)
            let index = model.firstIndex { $0.key == key }
            switch Int.random(in: 0..<4, using: &random) {
            case 0, 1:
                if let index { model.remove(at: index) }
                model.append((key, step))
                list.set(step, for: key)
            case 2:
                if let index { model.append(model.remove(at: index)) }
                _ = list.use(key)
            default:
                if let index { model.remove(at: index) }
                list.remove(key)
            }
            guard list.keysFromOldest == model.map(\.key), list.count == model.count,
                model.allSatisfy({ list.peek($0.key) == $0.value })
            else {
                Issue.record("differs after step \(step)")
                return
            }
        }
    }
}
