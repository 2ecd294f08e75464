public import Contracts
public import Domain
public import Localization

/// The texts of a film: its data and the source of its poster.
public struct FilmWording: Sendable {
    private let language: Language

    public init(language: Language) {
        self.language = language
    }

    public var unknown: String { language("정보 없음", "unknown") }
    public var reentry: String { language("재진입", "re-entry") }

    /// A title, in English where it is known, with the Korean one beside it.
    public func title(_ korean: String, english: String?) -> String { both(korean, english) }

    /// A person's name, in English where it is known, with the Korean one beside it.
    public func name(_ korean: String, english: String?) -> String { both(korean, english) }

    /// A person's name in one language.
    public func shortName(_ korean: String, english: String?) -> String {
        guard language == .en, let english, !english.isEmpty else { return korean }
        return english
    }

    /// A word of a fixed vocabulary of KOBIS: a rating, genre, nation, type or production state.
    public func term(_ korean: String) -> String {
        language == .ko ? korean : FilmTerms.english(korean) ?? korean
    }

    private func both(_ korean: String, _ english: String?) -> String {
        guard language == .en, let english, !english.isEmpty, english != korean else { return korean }
        return korean.isEmpty ? english : "\(english) (\(korean))"
    }

    public func minutes(_ count: Int) -> String { language("\(count)분", "\(count) min") }

    /// Names in one text; nil when there is none.
    public func list(_ items: [String]) -> String? {
        let named = items.filter { !$0.isEmpty }
        return named.isEmpty ? nil : named.joined(separator: ", ")
    }

    /// The eight fields of a film's detail, in their usual order.
    ///
    /// - Parameter castLimit: the number of named actors, of up to some hundred; nil for all.
    public func fields(_ film: FilmDetail, castLimit: Int? = nil) -> [(label: String, text: String)] {
        let rows = [
            (language("감독", "Director"), list(film.directors.map { name($0.name, english: $0.nameEnglish) })),
            (language("제작연도", "Produced"), film.productionYear.map(String.init)),
            (language("개봉일", "Opened"), film.opening),
            (language("상영시간", "Running time"), film.runningMinutes.map(minutes)),
            (language("관람등급", "Rating"), film.currentGrade.map(term)),
            (language("제작국가", "Countries"), list(film.nations.map(term))),
            (language("장르", "Genres"), list(film.genres.map(term))),
            (language("배우", "Cast"), cast(film.actors, limit: castLimit)),
        ]
        return rows.map { ($0.0, $0.1 ?? unknown) }
    }

    private func cast(_ actors: [CastMember], limit: Int?) -> String? {
        // A remainder of one takes as much room as its name.
        let shown = limit.flatMap { actors.count > $0 + 1 ? $0 : nil } ?? actors.count
        let names = list(actors.prefix(shown).map { name($0.name, english: $0.nameEnglish) })
        let more = actors.count - shown
        return more > 0 ? names.map { $0 + language(" 외 \(more)명", " and \(more) more") } : names
    }

    /// The address of a film's page at KOBIS.
    public static func page(code: String) -> String {
        "https://www.kobis.or.kr/kobis/mobile/mast/mvie/searchMovieDtl.do?movieCd=\(code)"
    }

    /// The site of a poster.
    public func site(_ name: String?) -> String { name ?? language("출처 없음", "unknown site") }

    /// Empty for an image that looks like a poster; else a note that it was chosen by hand or is uncertain.
    public func certainty(_ confidence: PosterConfidence) -> String {
        switch confidence {
        case .high: ""
        case .pinned: language(" (고정됨)", " (pinned)")
        default: language(" (확실하지 않음)", " (not certain)")
        }
    }

    /// The kind of an image that replaces the chosen one; nil for the chosen image.
    public func substitution(_ image: PosterImage) -> String? {
        switch (image.source, image.number ?? 1) {
        case (.candidate, 1): nil
        case (.candidate, let number):
            language(
                "첫 이미지를 받지 못해 \(number)번 후보를 저장했습니다.",
                "The first image could not be fetched: this is candidate \(number).")
        default:
            language(
                "원본을 받지 못해 가장자리가 잘린 미리보기를 저장했습니다.",
                "No original could be fetched: this is a thumbnail, cut at its edges.")
        }
    }
}
