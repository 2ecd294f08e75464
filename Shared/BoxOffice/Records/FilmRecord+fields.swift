internal import Assembly
internal import Domain
internal import Envelope
internal import Localization
internal import Wording

extension FilmRecord {
    public typealias Field = RecordField<FilmRecord>

    /// Fields of `gateway chart`: the eighteen fields of KOBIS, the derived ones, and which chart has the row.
    public static let chartFields: [Field] =
        rowFields + [
            Field("lastDate") { RecordValue($0.row?.chart.days.upperBound.iso) },
            Field("kind") { RecordValue($0.row?.chart.kind.rawValue) },
            Field("area") { RecordValue($0.row?.chart.filter.region?.rawValue) },
            Field("nation") { RecordValue($0.row?.chart.filter.nation?.rawValue) },
            Field("diversity") { RecordValue($0.row?.chart.filter.diversity?.rawValue) },
            Field("titleEnglish") { RecordValue($0.titleEnglish) }, stateField, sourceField,
        ]

    /// Fields of `gateway run`.
    public static let runFields: [Field] =
        rowFields + [
            Field("dayOfRelease") { RecordValue($0.run?.dayOfRelease) },
            Field("audienceWeekBefore") { RecordValue($0.run?.audienceWeekBefore) },
            Field("correction") { RecordValue($0.run?.correction) },
            Field("audiencePerScreen") { $0.run?.row.audiencePerScreen.map(RecordValue.decimal) ?? .missing },
            Field("averagePrice") { $0.run?.row.averagePrice.map(RecordValue.decimal) ?? .missing },
            stateField, sourceField,
        ]

    private static let rowFields: [Field] = [
        Field("date") { RecordValue($0.row?.day.iso) },
        entry("rank") { .integer(Int64($0.rank)) },
        entry("rowNumber") { .integer(Int64($0.rowNumber)) },
        entry("movement") { .text($0.movement.description) },
        entry("rankChange") { .integer(Int64($0.rankChange)) },
        entry("presence") { .text($0.presence.rawValue) },
        Field("reentry") { $0.row.map { .flag($0.entry.isReentry(on: $0.day)) } ?? .missing },
        Field("code") { RecordValue($0.code) },
        entry("title") { .text($0.title) },
        entry("openingDay") { RecordValue($0.openingDay?.iso) },
        entry("audience") { .integer(Int64($0.audience)) },
        entry("audienceChange") { .integer(Int64($0.audienceChange)) },
        entry("audienceChangePercent") { .decimal($0.audienceChangePercent) },
        entry("audienceTotal") { .integer(Int64($0.audienceTotal)) },
        entry("salesAmount") { .integer($0.salesAmount) },
        entry("salesShare") { .decimal($0.salesShare) },
        entry("salesChange") { .integer($0.salesChange) },
        entry("salesChangePercent") { .decimal($0.salesChangePercent) },
        entry("salesTotal") { .integer($0.salesTotal) },
        entry("screens") { .integer(Int64($0.screens)) },
        entry("showings") { .integer(Int64($0.showings)) },
    ]

    /// Fields of `gateway movie`.
    public static let movieFields: [Field] =
        [
            Field("code") { RecordValue($0.code) }, film("title") { .text($0.title) },
            film("openingDay") { RecordValue($0.openingDay?.iso) },
            film("openingText") { RecordValue($0.openingText) },
        ] + detailFields + [sourceField]

    /// Fields of `gateway search`.
    public static let searchFields: [Field] = [
        Field("code") { RecordValue($0.code) },
        summary("title") { .text($0.title) },
        summary("titleEnglish") { RecordValue($0.titleEnglish) },
        summary("openingDay") { RecordValue($0.openingDay?.iso) },
        summary("openingText") { RecordValue($0.openingText) },
        summary("productionYear") { RecordValue($0.productionYear) },
        summary("type") { RecordValue($0.type) },
        summary("productionStatus") { RecordValue($0.status) },
        summary("nations") { .list($0.nations) },
        summary("genres") { .list($0.genres) },
        summary("directors") { people($0.directors.map { ($0.name, $0.nameEnglish) }) },
        summary("companies") { .list($0.companies) }, sourceField,
    ]

    /// Fields of `gateway poster`.
    public static let posterFields: [Field] =
        [Field("code") { RecordValue($0.code) }] + posterOnlyFields + [sourceField]

    /// Fields of `gateway show`: all of them.
    public static let showFields: [Field] = rowFields + detailFields + posterOnlyFields + [sourceField]

    /// The fields of all commands, each once.
    public static let allFields: [Field] =
        showFields
        + (searchFields + runFields + chartFields).filter { field in
            !showFields.contains { $0.name == field.name }
        }

    private static let detailFields: [Field] = [
        Field("detailStatus") { RecordValue($0.detail?.status.rawValue) },
        film("titleEnglish") { RecordValue($0.titleEnglish) },
        film("directors") { people($0.directors.map { ($0.name, $0.nameEnglish) }) },
        film("productionYear") { RecordValue($0.productionYear) },
        film("runningMinutes") { RecordValue($0.runningMinutes) },
        film("grade") { RecordValue($0.currentGrade) },
        film("nations") { .list($0.nations) },
        film("genres") { .list($0.genres) },
        film("actors") { people($0.actors.map { ($0.name, $0.nameEnglish) }) },
    ]

    private static func people(_ people: [(korean: String, english: String?)]) -> RecordValue {
        .names(
            people.map {
                LocalizedText(
                    ko: $0.korean, en: FilmWording(language: .en).shortName($0.korean, english: $0.english))
            })
    }

    private static let posterOnlyFields: [Field] = [
        Field("posterStatus") { RecordValue($0.poster?.status.rawValue) },
        poster("posterURL") { .text($0.imageURL) },
        poster("posterWidth") { .integer(Int64($0.width)) },
        poster("posterHeight") { .integer(Int64($0.height)) },
        poster("posterSite") { RecordValue($0.site) },
        poster("posterPage") { .text($0.pageURL) },
        poster("posterConfidence") { .text($0.confidence.rawValue) },
    ]

    private static let stateField = Field("state") { RecordValue($0.state?.rawValue) }
    private static let sourceField = Field("source") { RecordValue($0.source?.rawValue) }

    private static func entry(_ name: String, _ value: @escaping @Sendable (ChartEntry) -> RecordValue) -> Field {
        Field(name) { film in
            guard let row = film.row else { return .missing }
            return value(row.entry)
        }
    }

    private static func film(_ name: String, _ value: @escaping @Sendable (FilmDetail) -> RecordValue) -> Field {
        Field(name) { $0.detail?.film.map(value) ?? .missing }
    }

    private static func summary(_ name: String, _ value: @escaping @Sendable (FilmSummary) -> RecordValue) -> Field {
        Field(name) { $0.summary.map(value) ?? .missing }
    }

    private static func poster(_ name: String, _ value: @escaping @Sendable (Poster) -> RecordValue) -> Field {
        Field(name) { $0.poster?.poster.map(value) ?? .missing }
    }
}
