import Domain

/// One film in a list, with numeric values; `ChartWriter` converts them to KOBIS's strings.
struct DemoChartRow: Sendable {
    let code: String
    let title: String
    let rank: Int
    /// Places gained since the day or the week before, negative when lost, 0 for a NEW film.
    let rankChange: Int
    /// Whether the film was absent from the whole ranking before, which includes re-entries.
    let isNew: Bool
    private(set) var admissions: Int
    let admissionsBefore: Int
    private(set) var totalAdmissions: Int
    private(set) var sales: Int64
    let salesBefore: Int64
    private(set) var totalSales: Int64
    /// Sales of all films of these days, also of those below the list.
    let salesOfAll: Int64
    let film: DemoFilm
    let screens: Int
    let showings: Int

    init(_ place: DemoRanking.Place, in today: DemoRanking, after yesterday: DemoRanking) {
        let before = yesterday.place(of: place.film.id)
        let totals = place.film.totals(through: today.days.upperBound, in: today.region)
        film = place.film
        code = place.film.code
        title = place.film.title.korean
        rank = place.rank
        rankChange = before.map { $0.rank - place.rank } ?? 0
        isNew = before == nil
        admissions = place.admissions
        admissionsBefore = before?.admissions ?? 0
        totalAdmissions = totals.admissions
        sales = place.sales
        salesBefore = before?.sales ?? 0
        totalSales = totals.sales
        salesOfAll = today.totalSales
        (screens, showings) = place.film.screens(during: today.days, in: today.region)
    }

    /// The same row with some tickets uncounted.
    func lacking(admissions missing: Int) -> DemoChartRow {
        var row = self
        let price = admissions > 0 ? sales / Int64(admissions) : 0
        row.admissions -= missing
        row.totalAdmissions -= missing
        row.sales -= price * Int64(missing)
        row.totalSales -= price * Int64(missing)
        return row
    }
}
