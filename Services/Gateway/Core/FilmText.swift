import BoxOffice
import Contracts
import Envelope
import ServiceKit
import TerminalText

/// A film's detail as text: one line below a chart's row, or all of its fields.
struct FilmText {
    let language: Language

    /// 재진입 · 감독 · 관람등급 · 상영시간 · 장르 · poster site; and why a part is not there, each in a line.
    func summary(
        detail: PartOutcome?, poster: PartOutcome?, isReentry: Bool = false
    ) throws -> (line: String?, notes: [String]) {
        var words = isReentry ? [language("재진입", "re-entry")] : []
        if let value = detail?.value {
            let film = try JSONBytes.decode(FilmBrief.self, from: value)
            words += [
                list(film.directors.map(\.name)), film.ratings.currentGrade?.printable,
                film.runningMinutes.map(minutes),
                list(film.genres),
            ].compactMap { $0 }
        }
        if let value = poster?.value {
            words.append(try provenance(value))
        }
        return (
            words.isEmpty ? nil : words.joined(separator: " · "),
            note(detail, language("상세", "detail")) + note(poster, language("포스터", "poster"))
        )
    }

    /// A poster in a few words: its site, how old and how certain it is, or that there is none.
    func caption(poster outcome: PartOutcome?) throws -> String {
        guard let outcome, let value = outcome.value else {
            return outcome?.status == .failed
                ? language("포스터 없음", "no poster") : language("포스터 시간 초과", "poster too late")
        }
        return try provenance(value, isOld: outcome.status == .stale)
    }

    /// Where a poster is from, and how certain it is.
    private func provenance(_ value: [UInt8], isOld: Bool = false) throws -> String {
        let poster = try JSONBytes.decode(PosterBrief.self, from: value)
        let site = poster.site?.printable ?? language("출처 없음", "unknown site")
        let old = isOld ? language(" (오래됨)", " (stale)") : ""
        return language("포스터 ", "poster ") + site + old + certainty(poster.confidence)
    }

    /// Nothing for an image that looks like a poster; else that it was chosen by hand, or that nobody is sure.
    func certainty(_ confidence: PosterConfidence) -> String {
        switch confidence {
        case .high: ""
        case .pinned: language(" (고정됨)", " (pinned)")
        default: language(" (확실하지 않음)", " (not certain)")
        }
    }

    /// What an image stands for when it is not the one that was chosen.
    func substitution(_ image: PosterImage) -> [String] {
        switch (image.source, image.number ?? 1) {
        case (.candidate, 1): []
        case (.candidate, let number):
            [
                language(
                    "첫 이미지를 받지 못해 \(number)번 후보를 저장했습니다.",
                    "The first image could not be fetched: this is candidate \(number).")
            ]
        default:
            [
                language(
                    "원본을 받지 못해 가장자리가 잘린 미리보기를 저장했습니다.",
                    "No original could be fetched: this is a thumbnail, cut at its edges.")
            ]
        }
    }

    /// Why a part is missing or old.
    func note(_ part: PartOutcome?, _ name: String) -> [String] {
        guard let part else { return ["\(name): \(language("도착하지 않음", "did not arrive"))"] }
        let reason =
            part.isRevalidating
            ? language("새 자료를 요청했습니다.", "A fresh one has been asked for.")
            : part.failure.map { FailureText(language: language).line($0) }
        switch part.status {
        case .ok: return []
        case .failed, .timeout: return ["\(name): \(reason ?? part.status.rawValue)"]
        case .stale:
            let age = (part.cache?.age).map { " (\(AgeText(language: language).text($0)))" } ?? ""
            let cause = reason.map { " — \($0)" } ?? ""
            return ["\(name): \(language("오래된 자료", "stale"))\(age)\(cause)"]
        }
    }

    /// All eight fields, in the order of the seeds.
    func fields(_ film: FilmDetail) -> [String] {
        let rows = [
            (language("감독", "Director"), list(film.directors.map(\.name))),
            (language("제작년도", "Produced"), film.productionYear.map(String.init)),
            (language("개봉일", "Opened"), film.openingDay?.iso),
            (language("상영시간", "Running time"), film.runningMinutes.map(minutes)),
            (language("관람등급", "Rating"), film.currentGrade?.printable),
            (language("제작국가", "Countries"), list(film.nations)),
            (language("장르", "Genres"), list(film.genres)),
            (language("배우", "Cast"), list(film.actors.map(\.name))),
        ]
        return TextTable.labelled(rows.map { ($0.0, $0.1 ?? language("정보 없음", "unknown")) })
    }

    private func minutes(_ count: Int) -> String { language("\(count)분", "\(count) min") }

    private func list(_ items: [String]) -> String? {
        let named = items.filter { !$0.isEmpty }
        return named.isEmpty ? nil : named.joined(separator: ", ").printable
    }
}
