import Domain
import HTTPTypes
import Localization
import NIOCore
import Testing

@testable import WebCore

@Suite struct PageCacheTests {
    private func key(_ query: String) -> PageCache.Key {
        PageCache.Key(
            address: .search(FilmSearch(title: query)), language: .ko, isLanguageChosen: false, yesterday: .firstChart)
    }

    private func page(_ parts: [String], bytes: Int = 10, for time: Duration = .seconds(60)) -> PageCache.Page {
        PageCache.Page(
            plain: .ready(.ok, [:], ByteBuffer(repeating: 0, count: bytes), isGzip: false),
            compressed: .ready(.ok, [:], ByteBuffer(), isGzip: true), tag: "t", parts: parts,
            freshUntil: .now + time)
    }

    private func fed(maxBytes: Int = 16 << 20) -> PageCache {
        let cache = PageCache(maxBytes: maxBytes)
        cache.dropAll(isFed: true)
        return cache
    }

    @Test func `a page is kept until one of its parts changes`() {
        let cache = fed()
        cache.insert(page(["a", "b"]), for: key("1"), since: cache.moment)
        cache.insert(page(["b", "c"]), for: key("2"), since: cache.moment)
        cache.drop(part: "a")
        #expect(cache.page(key("1")) == nil && cache.page(key("2")) != nil)
        cache.drop(part: "c")
        #expect(cache.page(key("2")) == nil)
    }

    @Test func `a page whose part changed while it was made is not kept`() {
        let cache = fed()
        let moment = cache.moment
        cache.drop(part: "b")
        cache.insert(page(["a", "b"]), for: key("1"), since: moment)
        cache.insert(page(["a", "c"]), for: key("2"), since: moment)
        #expect(cache.page(key("1")) == nil && cache.page(key("2")) != nil)
        for number in 0..<3_000 { cache.drop(part: "\(number)") }
        // More has changed than is remembered.
        cache.insert(page(["d"]), for: key("3"), since: moment)
        #expect(cache.page(key("3")) == nil)
    }

    @Test func `nothing is kept without events, or across their loss`() {
        let cache = PageCache()
        cache.insert(page(["a"]), for: key("1"), since: cache.moment)
        #expect(cache.page(key("1")) == nil)
        cache.dropAll(isFed: true)
        let moment = cache.moment
        cache.insert(page(["a"]), for: key("1"), since: moment)
        #expect(cache.page(key("1")) != nil)
        cache.dropAll(isFed: true)
        #expect(cache.page(key("1")) == nil)
        cache.insert(page(["a"]), for: key("1"), since: moment)
        #expect(cache.page(key("1")) == nil)
    }

    @Test func `a page that is no longer fresh is gone`() {
        let cache = fed()
        cache.insert(page(["a"], for: .zero), for: key("1"), since: cache.moment)
        #expect(cache.page(key("1")) == nil)
    }

    @Test func `a page that stays is still the oldest after others came and went`() {
        let cache = fed(maxBytes: 1_000)
        cache.insert(page(["a"], bytes: 99), for: key("old"), since: cache.moment)
        for _ in 0..<100 {
            cache.insert(page(["b"], bytes: 99), for: key("short"), since: cache.moment)
            cache.drop(part: "b")
        }
        for number in 0..<9 { cache.insert(page(["c"], bytes: 99), for: key("\(number)"), since: cache.moment) }
        #expect(cache.page(key("old")) != nil)
        for number in 9..<30 { cache.insert(page(["c"], bytes: 99), for: key("\(number)"), since: cache.moment) }
        let kept = (0..<30).filter { cache.page(key("\($0)")) != nil }
        #expect(cache.page(key("old")) == nil && kept == Array(20..<30))
    }

    @Test func `its bytes are bounded, and the oldest page goes first`() {
        let cache = fed(maxBytes: 1_000)
        cache.insert(page(["a"], bytes: 200), for: key("large"), since: cache.moment)
        #expect(cache.page(key("large")) == nil)
        for number in 0..<20 { cache.insert(page(["a"], bytes: 99), for: key("\(number)"), since: cache.moment) }
        let kept = (0..<20).filter { cache.page(key("\($0)")) != nil }
        #expect(kept == Array(10..<20))
    }
}
