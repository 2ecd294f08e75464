import Assembly
import Contracts
import Domain
import Envelope
import Localization
import TerminalText
import TestSupport
import Testing
import Wording

@testable import GatewayCore

@Suite struct FilmTextTests {
    private let korean = FilmText(language: .ko)
    private let english = FilmText(language: .en)

    private func summaryLines(
        _ text: FilmText, detail: PartOutcome?, poster: PartOutcome?, isReentry: Bool = false
    ) throws -> [String] {
        var assembly = ShowAssembly(.daily(Samples.date), chart: .failed(Samples.timeout), codes: ["a"])
        if let detail { assembly.receive(detail, for: .detail(0)) }
        if let poster { assembly.receive(poster, for: .poster(0)) }
        let film = assembly.films[0]
        return [try text.summary(film, isReentry: isReentry).text] + text.notes(film)
    }

    @Test func `a film has eight fields in a fixed order`() {
        #expect(
            korean.fields(Samples.film, isComplete: true) == [
                "감독      이규만, 김감독", "제작연도  2021", "개봉일    2022-01-05", "상영시간  119분", "관람등급  15세이상관람가",
                "제작국가  한국, 미국", "장르      범죄, 드라마", "배우      조진웅, 최우식",
            ])
        #expect(
            english.fields(Samples.film, isComplete: true) == [
                "Director      이규만, KIM (김감독)", "Produced      2021", "Opened        2022-01-05",
                "Running time  119 min",
                "Rating        15+", "Countries     South Korea, United States", "Genres        Crime, Drama",
                "Cast          조진웅, 최우식",
            ])
    }

    @Test func `every unknown field is labelled as unknown`() {
        let nothing = FilmDetail(
            code: "1", title: "x", directors: [Person(name: "", nameEnglish: nil)],
            ratings: [Rating(number: nil, grade: "")])
        #expect(korean.fields(nothing, isComplete: true).count == 8)
        #expect(korean.fields(nothing, isComplete: true).allSatisfy { $0.hasSuffix("  정보 없음") })
        #expect(english.fields(nothing, isComplete: true).allSatisfy { $0.hasSuffix("  unknown") })
    }

    @Test func `the second line is director, grade, time, genre and the poster's site`() throws {
        let lines = try summaryLines(korean, detail: Samples.okFilm(), poster: Samples.ok(Samples.poster()))
        #expect(lines == ["이규만, 김감독 · 15세이상관람가 · 119분 · 범죄, 드라마 · 포스터 네이버블로그"])
        let unsure = try summaryLines(korean, detail: nil, poster: Samples.ok(Samples.poster(confident: false)))
        #expect(unsure[0] == "상세 시간 초과 · 포스터 네이버블로그 (확실하지 않음)")
        let unknown = try summaryLines(english, detail: nil, poster: Samples.ok(Samples.poster(site: nil)))
        #expect(unknown == ["detail too late · poster unknown site", "detail: did not arrive"])
    }

    @Test func `the line of a re-entered film begins with that fact`() throws {
        let poster = Samples.ok(try Samples.poster(site: "x"))
        #expect(try summaryLines(korean, detail: nil, poster: poster, isReentry: true)[0] == "재진입 · 상세 시간 초과 · 포스터 x")
        #expect(
            try summaryLines(english, detail: nil, poster: poster, isReentry: true)[0]
                == "re-entry · detail too late · poster x")
    }

    @Test func `a caption is the poster's site, or that there is none`() throws {
        #expect(try korean.caption(poster: Samples.ok(Samples.poster())) == "포스터 네이버블로그")
        #expect(try english.caption(poster: .failed(Samples.timeout)) == "poster too late")
        let none = Failure(.noHits, LocalizedText(ko: "a", en: "b"), isRetryable: false)
        #expect(try english.caption(poster: .failed(none)) == "no poster")
        let old = PartOutcome.stale(try Samples.poster(confident: false), failure: nil, cache: nil, sender: nil)
        #expect(try korean.caption(poster: old) == "포스터 네이버블로그 (오래됨) (확실하지 않음)")
    }

    @Test func `missing fields leave no gap in the line`() throws {
        let bare = try JSONBytes.encode(FilmDetail(code: "1", title: "x", runningMinutes: 90, genres: ["", "범죄"]))
        #expect(
            try summaryLines(korean, detail: Samples.ok(bare), poster: Samples.ok(Samples.poster(site: "x"))) == [
                "90분 · 범죄 · 포스터 x"
            ])
    }

    @Test func `a failed part states its reason, and the other part is shown`() throws {
        let late = try summaryLines(korean, detail: Samples.okFilm(), poster: .failed(Samples.timeout))
        #expect(
            late == [
                "이규만, 김감독 · 15세이상관람가 · 119분 · 범죄, 드라마 · 포스터 시간 초과", "포스터: 시간 초과입니다. 잠시 뒤에 다시 시도하세요.",
            ])
        let both = try summaryLines(english, detail: .failed(Samples.timeout), poster: .failed(Samples.timeout))
        #expect(
            both == [
                "detail too late · poster too late", "detail: It timed out. Try again in a moment.",
                "poster: It timed out. Try again in a moment.",
            ])
    }

    @Test func `a stale part states its age and the reason`() throws {
        let value = try JSONBytes.encode(Samples.film)
        let cacheStatus = CacheStatus(hit: true, fwd: .stale, ttl: -60, age: 7200)
        let old = PartOutcome.stale(value, failure: Samples.timeout, cache: cacheStatus, sender: nil)
        #expect(
            try summaryLines(korean, detail: old, poster: .fresh(Samples.poster(), cache: nil, sender: nil)).last
                == "상세: 오래된 자료 (2시간 전) — 시간 초과입니다. 잠시 뒤에 다시 시도하세요.")
        #expect(
            english.note(old, "detail") == ["detail: stale (2 h old) — It timed out. Try again in a moment."])
    }

    @Test func `a stale part without further data is still labelled as stale`() {
        let old = PartOutcome.stale([], failure: nil, cache: nil, sender: nil)
        #expect(korean.note(old, "상세") == ["상세: 오래된 자료"])
    }

    @Test func `an ok part has no note`() throws {
        #expect(korean.note(try Samples.okFilm(), "상세").isEmpty)
    }

    @Test func `names from upstream cannot control the terminal`() throws {
        let evil = "\u{1B}]0;x\u{7}\n"
        let film = FilmDetail(
            code: "1", title: evil, nations: [evil], genres: [evil], directors: [Person(name: evil, nameEnglish: nil)],
            actors: [CastMember(name: evil, nameEnglish: nil, role: nil)], ratings: [Rating(number: nil, grade: evil)])
        let poster = try Samples.poster(site: evil)
        let failure = Failure(.notFound, LocalizedText(ko: evil, en: evil), isRetryable: false)
        var lines = korean.fields(film, isComplete: true) + korean.note(.failed(failure), "상세")
        lines += try summaryLines(korean, detail: Samples.ok(JSONBytes.encode(film)), poster: Samples.ok(poster))
        lines += try Samples.presentation().movie(Samples.ok(JSONBytes.encode(film)), code: "1").lines
        lines += try Samples.presentation().poster(Samples.ok(poster), of: .title("x")).lines
        #expect(lines.count == 8 + 1 + 1 + 11 + 3)
        for line in lines {
            #expect(line.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }, "\(line)")
        }
    }

    @Test func `English has the English titles, names and terms that are known, with the Korean names beside them`()
        throws
    {
        let film = FilmDetail(
            code: "1", title: "경관의 피", titleEnglish: "The Policeman's Lineage", nations: ["한국", "아틀란티스"],
            genres: ["멜로/로맨스"], directors: [Person(name: "이규만", nameEnglish: "LEE Kyu-maan")],
            actors: [
                CastMember(name: "조진웅", nameEnglish: "CHO Jin-woong", role: nil),
                CastMember(name: "최우식", nameEnglish: nil, role: nil),
            ], ratings: [Rating(number: nil, grade: "청소년관람불가")])
        let text = english.fields(film, isComplete: true).joined(separator: "\n")
        for part in ["LEE Kyu-maan (이규만)", "CHO Jin-woong (조진웅), 최우식", "18+", "South Korea, 아틀란티스", "Romance"] {
            #expect(text.contains(part), "\(part)")
        }
        #expect(!korean.fields(film, isComplete: true).joined().contains("LEE"))
        let answer = try Samples.presentation(language: .en).movie(Samples.ok(JSONBytes.encode(film)), code: "1")
        #expect(answer.lines[0] == "The Policeman's Lineage (경관의 피)  1")
    }

    @Test func `of a long cast the first eight are named, and all when they are wanted`() throws {
        let actors = (1...90).map { CastMember(name: "배우\($0)", nameEnglish: nil, role: nil) }
        let film = FilmDetail(code: "1", title: "x", actors: actors)
        #expect(korean.fields(film, isComplete: false)[7].hasSuffix("배우7, 배우8 외 82명"))
        #expect(english.fields(film, isComplete: false)[7].hasSuffix("배우8 and 82 more"))
        #expect(korean.fields(film, isComplete: true)[7].hasSuffix("배우90"))
        let nine = FilmDetail(code: "1", title: "x", actors: Array(actors.prefix(9)))
        #expect(
            korean.fields(nine, isComplete: false)[7].hasSuffix("배우9"),
            "one more name takes no more room than its count")
    }

    @Test func `a note that several films share is said once, with their ranks`() {
        let notes = FilmNotes([1, 2, 3, 5, 5], [["a"], ["a", "b"], ["a"], ["c"], ["a"]])
        #expect(notes.own == [[], ["b"], [], ["c"], []])
        #expect(notes.shared.map(\.note) == ["a"] && notes.shared.map(\.ranks) == ["1-3, 5"])
    }
}
