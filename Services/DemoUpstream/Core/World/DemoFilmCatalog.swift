import Domain
import Synchronization

/// Finds films of the generated world by title, which a chart's arithmetic cannot do.
///
/// A title is drawn from the film's identity and cannot be turned back, so the catalogue holds all of them: some nine
/// thousand strings. The last one is kept for the next server of its seed and week.
struct DemoFilmCatalog: Sendable {
    private let identities: [String: [DemoFilm.ID]]
    private let world: DemoWorld
    private let entries = EntryList()

    private init(world: DemoWorld, identities: [String: [DemoFilm.ID]]) {
        self.world = world
        self.identities = identities
    }

    /// The titles of all films that a chart up to the given day can hold, and of half a year beyond it.
    static func make(of world: DemoWorld, through day: Day) -> DemoFilmCatalog {
        let first = DemoWeek(of: .firstChart).number - DemoWorld.longestRunInWeeks
        let last = max(first, DemoWeek(of: day).number + 26)
        let source = Source(seed: world.seed, lastWeek: last)
        if let made = latest.withLock({ $0?.source == source ? $0?.catalog : nil }) { return made }
        var identities: [String: [DemoFilm.ID]] = [:]
        for week in first...last {
            for film in world.films(openingIn: DemoWeek(number: week)) {
                identities[ImageQuery.folded(film.title.korean), default: []].append(film.id)
            }
        }
        let catalog = DemoFilmCatalog(world: world, identities: identities)
        latest.withLock { $0 = (source, catalog) }
        return catalog
    }

    /// The films whose title holds this text, folded, the latest first; without a text all of them.
    func films(withTitlesContaining text: String) -> [DemoFilm] {
        let found = identities.filter { text.isEmpty || $0.key.contains(text) }.flatMap(\.value)
        return found.sorted(by: >).map { DemoFilm(id: $0, worldSeed: world.seed) }
    }

    /// All films as a search lists them, the latest first; made once a day, since it takes seconds on a busy machine.
    func allEntries(today: Day) -> [FilmListEntry] {
        entries.latest.withLock { latest in
            if let latest, latest.day == today { return latest.entries }
            let made = films(withTitlesContaining: "").map { FilmListEntry($0.detail(today: today)) }
            latest = (today, made)
            return made
        }
    }

    private final class EntryList: Sendable {
        let latest = Mutex<(day: Day, entries: [FilmListEntry])?>(nil)
    }

    /// The films of that title, the latest first, as a search engine prefers recent films.
    func films(titled title: String) -> [DemoFilm] {
        let found = identities[ImageQuery.folded(title)] ?? []
        return found.sorted(by: >).map { DemoFilm(id: $0, worldSeed: world.seed) }
    }

    /// What determines a catalogue.
    private struct Source: Equatable {
        let seed: UInt64
        let lastWeek: Int
    }

    /// The tests start hundreds of servers of one world in a process.
    private static let latest = Mutex<(source: Source, catalog: DemoFilmCatalog)?>(nil)
}
