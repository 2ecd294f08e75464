import DequeModule
import Domain
import Localization
import Synchronization

/// The complete pages of recent requests, until one of their parts is stored anew or is no longer fresh.
///
/// It keeps pages only while the events of the stack arrive: they say which parts have changed.
final class PageCache: Sendable {
    struct Key: Hashable, Sendable {
        let address: PageAddress
        let language: Language
        /// Whether the address names the language: then the links do, too.
        let isLanguageChosen: Bool
        /// In Seoul: no page leads to a later day.
        let yesterday: Day
    }

    struct Page: Sendable {
        let plain: WebResponse
        let compressed: WebResponse
        let tag: String
        /// The cache keys of its parts.
        let parts: [String]
        let freshUntil: ContinuousClock.Instant

        fileprivate var bytes: Int {
            plain.size + compressed.size + parts.reduce(0) { $0 + $1.utf8.count }
        }
    }

    /// The state of the cache when a query began.
    struct Moment: Sendable {
        fileprivate let changes: Int
    }

    private struct State {
        var isFed = false
        var pages: [Key: Page] = [:]
        /// The oldest first; contains each kept page, and may contain keys whose page is gone.
        var order: Deque<Key> = []
        var bytes = 0
        var keysByPart: [String: Set<Key>] = [:]
        /// Counts changes of parts; the latest are remembered.
        var changes = 0
        var changed: Deque<String> = []
    }

    private static let remembered = 1024

    private let maxBytes: Int
    private let state = Mutex(State())

    init(maxBytes: Int = 16 << 20) {
        self.maxBytes = maxBytes
    }

    var moment: Moment { Moment(changes: state.withLock { $0.changes }) }

    func page(_ key: Key) -> Page? {
        state.withLock { state in
            guard let page = state.pages[key] else { return nil }
            guard page.freshUntil > .now else {
                Self.remove(key, from: &state)
                return nil
            }
            return page
        }
    }

    /// - Parameter moment: when its query began: a page of which a part has changed since then is not kept.
    func insert(_ page: Page, for key: Key, since moment: Moment) {
        state.withLock { state in
            let missed = state.changes - moment.changes
            guard state.isFed, missed <= state.changed.count, page.bytes <= maxBytes / 8,
                !state.changed.suffix(missed).contains(where: page.parts.contains)
            else { return }
            Self.remove(key, from: &state)
            state.pages[key] = page
            state.order.append(key)
            state.bytes += page.bytes
            for part in page.parts { state.keysByPart[part, default: []].insert(key) }
            while state.bytes > maxBytes, let oldest = state.order.popFirst() { Self.remove(oldest, from: &state) }
            if state.order.count > 2 * state.pages.count + 16 { Self.tidyOrder(&state) }
        }
    }

    /// The part with this cache key was stored anew.
    func drop(part: String) {
        state.withLock { state in
            state.changes += 1
            state.changed.append(part)
            if state.changed.count > Self.remembered { state.changed.removeFirst() }
            for key in state.keysByPart[part] ?? [] { Self.remove(key, from: &state) }
        }
    }

    /// Events may have been missed.
    ///
    /// - Parameter isFed: whether events arrive from now on.
    func dropAll(isFed: Bool) {
        state.withLock { state in
            let changes = state.changes + 1
            state = State()
            state.isFed = isFed
            state.changes = changes
        }
    }

    /// Leaves each kept page the place of its last insertion.
    private static func tidyOrder(_ state: inout State) {
        var seen: Set<Key> = []
        let kept = state.order.reversed().filter { state.pages[$0] != nil && seen.insert($0).inserted }
        state.order = Deque(kept.reversed())
    }

    private static func remove(_ key: Key, from state: inout State) {
        guard let page = state.pages.removeValue(forKey: key) else { return }
        state.bytes -= page.bytes
        for part in page.parts {
            state.keysByPart[part]?.remove(key)
            if state.keysByPart[part]?.isEmpty == true { state.keysByPart[part] = nil }
        }
    }
}
