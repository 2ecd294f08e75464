import CacheStoreCore
import Testing

@Suite struct EntryKeyTests {
    @Test(arguments: [
        ("chart.daily?date=2022-01-05", "chart.daily", "chart"),
        ("movie?code=20199882", "movie", "movie"),
        ("poster?title=a.b?c", "poster", "poster"),
        ("movie", "movie", "movie"),
        ("?code=1", "", ""),
        ("", "", ""),
    ])
    func `kind and family are read from the text before the question mark`(text: String, kind: String, family: String) {
        #expect(EntryKey(text).kind == kind)
        #expect(EntryKey(text).family == family)
    }

    @Test(arguments: [(999, true), (1_000, false), (1_001, false)] as [(Int64, Bool)])
    func `an entry is fresh before its instant`(now: Int64, isFresh: Bool) {
        let entry = CacheEntry(key: "k", value: [], storedAt: 500, freshUntil: 1_000, fetchedBy: "f/1")
        #expect(entry.isFresh(at: now) == isFresh)
    }

    @Test(arguments: [(499, 0), (500, 0), (730, 230)] as [(Int64, Int64)])
    func `the age is never negative`(now: Int64, age: Int64) {
        let entry = CacheEntry(key: "k", value: [], storedAt: 500, freshUntil: 1_000, fetchedBy: "f/1")
        #expect(entry.age(at: now) == age)
    }

    @Test func `the size counts every variable part`() {
        let entry = CacheEntry(
            key: "1234", value: [1, 2, 3], attributes: ["ab": "cde", "": "f"], storedAt: 0, freshUntil: 0,
            fetchedBy: "xy")
        #expect(entry.size == 4 + 3 + 5 + 1 + 2)
    }
}
