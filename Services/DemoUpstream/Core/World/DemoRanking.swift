import Domain

/// All films with an audience in a span of days, best first, with the ranks that they hold.
///
/// Equal admissions share a rank and the next rank is skipped (5, 5, 7), as on the wire. Films of equal rank follow each
/// other in the order of their identity, so that a chart never depends on the order of a dictionary.
struct DemoRanking: Sendable {
    struct Place: Sendable {
        let film: DemoFilm
        let rank: Int
        let admissions: Int
        let sales: Int64
    }

    let days: ClosedRange<Day>
    /// nil for the whole country.
    let region: Region?
    let places: [Place]
    let totalSales: Int64
    private let indexes: [DemoFilm.ID: Int]

    init(of films: [DemoFilm], during days: ClosedRange<Day>, in region: Region?) {
        let audiences = films.map { (film: $0, taken: $0.takings(during: days, in: region)) }
            .filter { $0.taken.admissions > 0 }
            .sorted { ($1.taken.admissions, $0.film.id) < ($0.taken.admissions, $1.film.id) }
        var places: [Place] = []
        for (index, entry) in audiences.enumerated() {
            let tied = places.last.flatMap { $0.admissions == entry.taken.admissions ? $0.rank : nil }
            places.append(
                Place(
                    film: entry.film, rank: tied ?? index + 1, admissions: entry.taken.admissions,
                    sales: entry.taken.sales))
        }
        self.days = days
        self.region = region
        self.places = places
        totalSales = places.reduce(0) { $0 + $1.sales }
        indexes = Dictionary(uniqueKeysWithValues: places.enumerated().map { ($1.film.id, $0) })
    }

    /// The film's place that day, or nil without an audience.
    func place(of id: DemoFilm.ID) -> Place? {
        indexes[id].map { places[$0] }
    }
}
