public import Domain
public import Localization

/// The names of films' countries.
public struct NationWording: Sendable {
    private let language: Language

    public init(language: Language) {
        self.language = language
    }

    public func name(_ group: NationGroup) -> String {
        switch group {
        case .korean: language("한국영화", "Korean films")
        case .foreign: language("외국영화", "foreign films")
        case .coproduction: language("합작", "co-productions")
        case .unknown: language("국적 미상", "unknown country")
        }
    }
}

/// The names and figures of records.
public struct RecordWording: Sendable {
    private let language: Language

    public init(language: Language) {
        self.language = language
    }

    /// Which days count.
    public var scope: String {
        language(
            "연속 1위는 기간 안의 날만 세고, 최단기간은 개봉일부터 셉니다.",
            "Streaks at no. 1 count the days within the period; times to a milestone count from the opening day.")
    }

    public func name(_ record: BoxOfficeRecord) -> String {
        switch record.kind {
        case .day: language("하루 최다 관객", "best day")
        case .openingDay: language("개봉일 최다 관객", "best opening day")
        case .week: language("주간 최다 관객", "best week")
        case .month: language("월간 최다 관객", "best month")
        case .daysAtTop: language("최장 연속 1위", "longest at no. 1")
        case .fastest:
            language(
                "최단기간 \(((record.milestone ?? 0) / 10_000).withSeparators)만 명",
                "fastest to \(((record.milestone ?? 0) / 1_000_000).withSeparators) million")
        }
    }

    public func figure(_ record: BoxOfficeRecord) -> String {
        let mark = record.isProvisional ? "*" : ""
        switch record.kind {
        case .day, .openingDay, .week, .month:
            return language("\(record.value.withSeparators)명", record.value.withSeparators) + mark
        case .daysAtTop:
            return language("\(record.value.withSeparators)일", "\(record.value.withSeparators) days") + mark
        case .fastest: return "D+\(record.value)" + mark
        }
    }
}
