public import ArgumentParser
import CommandKit
public import Domain
import Localization
import ProcessKit

/// Selects a chart: its days, films and cinemas.
struct ChartOptions: ParsableArguments {
    @Flag(
        help: .words(
            "차트 종류 (기본값: 일별, 날짜를 생략하면 지난주)",
            "Period to add up (default: one day). Weeks run Monday to Sunday, weekends Friday to Sunday; without a date: the last complete one."
        ))
    var span: ChartSpan?

    @Option(
        help: .words(
            "지역, 예: 서울, Seoul, 충북, Jeju",
            "Region, in Korean or English, e.g. 서울, Seoul, 충북, Jeju."), completion: Completions.regions)
    var area: String?

    @Option(help: .words("국적(한국, 외국)", "Korean or foreign films only."))
    var nation: ChartFilter.Nation?

    @Option(
        help: .words(
            "영화 구분(다양성, 상업)",
            "Diversity films (small and independent releases) or commercial films only."))
    var diversity: ChartFilter.Diversity?

    func validate() throws {
        _ = try region
    }

    /// - Parameters:
    ///   - day: The chart's day, or one of its week.
    ///   - isGiven: false for the default, yesterday: then the latest week or weekend that is over is used.
    func selection(around day: Day, isGiven: Bool) throws -> ChartSelection {
        let filter = ChartFilter(region: try region, nation: nation, diversity: diversity)
        return ChartSelection(span?.kind ?? .daily, around: day, filter: filter).lastComplete(on: day, isGiven: isGiven)
    }

    /// The kind of charts for a range of days, for which the archive has the whole country only.
    var kindForRange: ChartKind {
        get throws {
            guard area == nil, nation == nil, diversity == nil else {
                throw StartupError.usage(
                    "기간이나 --as-of에는 --area, --nation, --diversity를 쓸 수 없습니다. 아카이브에는 전국 차트만 있습니다. 지난 주말이나 지난주는 \(Installation.gateway) chart에 --weekend나 --weekly를 쓰세요.",
                    "--area, --nation and --diversity need a single day without --as-of: the archive has charts of the whole country only. For last weekend or week: \(Installation.gateway) chart with --weekend or --weekly."
                )
            }
            return span?.kind ?? .daily
        }
    }

    private var region: Region? {
        get throws {
            guard let area else { return nil }
            guard let region = Region(named: area) else {
                let known = Region.allCases.map(\.korean) + Region.allCases.map(\.english)
                if let nearest = Suggestion.closest(to: area, among: known) {
                    throw ValidationError.usage(
                        "\("'\(area.printable)'".with(.topic)) 지역이 아닙니다. '\(nearest)'인가요?",
                        "Unknown region '\(area.printable)'. Did you mean '\(nearest)'?")
                }
                let korean = Region.allCases.map { "\($0.korean) (\($0.english))" }.joined(separator: ", ")
                let english = Region.allCases.map { "\($0.english) (\($0.korean))" }.joined(separator: ", ")
                throw ValidationError.usage(
                    "\("'\(area.printable)'".with(.topic)) 지역이 아닙니다. 지역: \(korean).",
                    "Unknown region '\(area.printable)'. Regions: \(english).")
            }
            return region
        }
    }
}

extension ChartSelection {
    /// The chart of the week before, for a day that nobody named and on which this one is not over.
    func lastComplete(on day: Day, isGiven: Bool) -> ChartSelection {
        guard !isGiven, days.upperBound > day else { return self }
        return ChartSelection(kind, around: day.advanced(by: -7), filter: filter)
    }
}

/// The charts of more than one day, as flags.
enum ChartSpan: String, EnumerableFlag {
    case weekly, weekend, weekdays

    var kind: ChartKind {
        switch self {
        case .weekly: .weekly
        case .weekend: .weekend
        case .weekdays: .weekdays
        }
    }
}

extension ChartFilter.Nation: ExpressibleByArgument {
    /// Also "한국" and "외국".
    public init?(argument: String) {
        let name = argument.nfc.replacing("영화", with: "")
        self.init(rawValue: ["한국": "korean", "외국": "foreign"][name] ?? argument)
    }
}

extension ChartFilter.Diversity: ExpressibleByArgument {
    /// Also "다양성", "다양성영화", "상업" and "상업영화".
    public init?(argument: String) {
        let name = argument.nfc.replacing("영화", with: "")
        self.init(rawValue: ["다양성": "diverse", "상업": "commercial"][name] ?? argument)
    }
}
