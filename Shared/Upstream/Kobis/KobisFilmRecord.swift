internal import Domain
internal import Upstream

/// `movieInfo`: KOBIS's record of a film. Its staff list, by far the largest part, is not read.
struct KobisFilmRecord: Decodable {
    /// Nil for a record that contains only blanks, one form of an unknown film.
    let detail: FilmDetail?

    private enum CodingKeys: String, CodingKey {
        case movieCd, movieNm, movieNmEn, movieNmOg, showTm, prdtYear, openDt, prdtStatNm, typeNm
        // "companys" is how KOBIS spells it.
        case nations, genres, directors, actors, showTypes, companys, audits
    }

    init(from decoder: any Decoder) throws {
        let record = try decoder.container(keyedBy: CodingKeys.self)
        guard try record.textIfKnown(.movieCd) != nil || record.textIfKnown(.movieNm) != nil else {
            detail = nil
            return
        }
        detail = FilmDetail(
            code: try record.text(.movieCd),
            title: try record.text(.movieNm),
            titleEnglish: try record.textIfKnown(.movieNmEn),
            titleOriginal: try record.textIfKnown(.movieNmOg),
            runningMinutes: try record.integerIfKnown(.showTm),
            productionYear: try record.integerIfKnown(.prdtYear),
            openingDay: try record.dayIfKnown(.openDt),
            openingText: try record.yearOrMonthIfKnown(.openDt),
            status: try record.textIfKnown(.prdtStatNm),
            type: try record.textIfKnown(.typeNm),
            nations: try record.list(.nations, of: NationRow.self).compactMap(\.name),
            genres: try record.list(.genres, of: GenreRow.self).compactMap(\.name),
            directors: try record.list(.directors, of: PersonRow.self).compactMap(\.director),
            actors: try record.list(.actors, of: PersonRow.self).compactMap(\.actor),
            showTypes: try record.list(.showTypes, of: ShowTypeRow.self).compactMap(\.name),
            companies: try record.list(.companys, of: CompanyRow.self).compactMap(\.company),
            ratings: try record.list(.audits, of: RatingRow.self).compactMap(\.rating))
    }
}
