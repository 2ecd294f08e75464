import Assembly
import Contracts
import Domain
import Envelope
import Foundation
import Localization
import ProcessKit
import Records
import TerminalText
import TestSupport
import Testing
import Wording

@testable import GatewayCore

@Suite struct PresentationTests {
    private func assembly(_ titles: (String, String) = ("경관의 피", "SING 2")) throws -> ShowAssembly {
        var assembly = ShowAssembly(
            .daily(Samples.date), chart: Samples.ok(try Samples.chart(titles.0, titles.1)),
            codes: ["20199880", "20199881"])
        for index in 0...1 {
            assembly.receive(try Samples.okFilm(), for: .detail(index))
            assembly.receive(Samples.ok(try Samples.poster()), for: .poster(index))
        }
        return assembly
    }

    private func partial(_ outcome: PartOutcome?) throws -> ShowAssembly {
        var assembly = ShowAssembly(
            .daily(Samples.date), chart: Samples.ok(try Samples.chart("경관의 피")), codes: ["20199880"])
        assembly.receive(try Samples.okFilm(), for: .detail(0))
        if let outcome { assembly.receive(outcome, for: .poster(0)) }
        return assembly
    }

    private func chart(of date: Day, age: Int?) throws -> PartOutcome {
        let value = try JSONBytes.encode(Chart(.daily(date), entries: []))
        return .fresh(value, cache: age.map { CacheStatus(hit: true, age: $0) }, sender: nil)
    }

    @Test func `JSON on a terminal is indented and coloured, and as it is elsewhere`() throws {
        var presentation = Samples.presentation(isJSON: true)
        let answer = try presentation.show(assembly())
        #expect(presentation.sanitized(answer).output == answer.output)
        (presentation.isOnTerminal, presentation.isIndented) = (true, true)
        presentation.style = Samples.coloured
        let lines = presentation.sanitized(answer).lines
        #expect(lines[0] == "{" && lines[1].hasPrefix("  \u{1B}[") && lines.count > 50)
        // A record is a line in any case.
        presentation.format = .records(.ndjson, nil)
        let records = try presentation.show(assembly())
        #expect(presentation.sanitized(records).output == records.output)
    }

    @Test func `titles and posters are links where the terminal says so, and invented films are none`() throws {
        var presentation = Samples.presentation()
        presentation.style = TextStyle(isTerminal: true, isUnwanted: true, Environment(["FORCE_HYPERLINK": "1"]))
        func links(_ assembly: ShowAssembly) throws -> [String] {
            try presentation.show(assembly).lines.joined().matches(of: /\u{1B}\]8;;([^\u{1B}]+)\u{1B}\\/).map {
                String($0.1)
            }
        }
        let page = try JSONBytes.decode(Poster.self, from: Samples.poster()).pageURL
        let film = FilmWording.page(code: "20199880")
        #expect(try links(assembly()).prefix(2) == [film, page])
        presentation.view = .grid
        #expect(try links(assembly()).first == film)
        presentation.view = .list
        presentation.columns = 30
        #expect(try links(assembly()).first == film, "also around a title that is cut")
        let chart = PartOutcome.fresh(try Samples.chart("경관의 피"), cache: nil, sender: nil, source: .demo)
        #expect(try links(ShowAssembly(.daily(Samples.date), chart: chart, codes: ["20199880"])).isEmpty)
        presentation.style = Samples.plain
        #expect(try links(assembly()).isEmpty)
    }

    @Test(
        arguments: [
            (["FORCE_HYPERLINK": "1"], true), (["FORCE_HYPERLINK": "0", "VTE_VERSION": "7200"], false),
            (["VTE_VERSION": "7200"], true), (["VTE_VERSION": "4803"], false), (["TERM_PROGRAM": "WezTerm"], true),
            (["TERM": "xterm-kitty"], true), (["TERM": "xterm-kitty", "TMUX": "x"], false),
            (["TERM": "xterm-256color"], false),
            (["WT_SESSION": "x", "TERM": "dumb"], false), ([:], false),
        ] as [([String: String], Bool)])
    func `the terminal's variables say whether it knows links`(variables: [String: String], hasLinks: Bool) {
        #expect(TextStyle(isTerminal: true, isUnwanted: false, Environment(variables)).hasLinks == hasLinks)
        let link = TextStyle(isTerminal: true, isUnwanted: false, Environment(["FORCE_HYPERLINK": "1"]))
        #expect(link.link("a", to: "https://x/\u{1B}]") == "a" && link.link("a", to: "https://x y") == "a")
    }

    @Test func `a complete answer has the date and two lines per film`() throws {
        let answer = try Samples.presentation().show(assembly())
        let second = "           이규만, 김감독 · 15세이상관람가 · 119분 · 범죄, 드라마 · 포스터 네이버블로그"
        #expect(
            answer.lines == [
                "박스오피스 2022-01-05 수요일  확정 · KOBIS", "", "  1  -     경관의 피  당일 64,050 / 총 6,012,345", second,
                "  2  -     SING 2     당일 64,050 / 총 6,012,345", second, "",
            ])
        #expect(answer.notes.isEmpty)
        #expect(answer.exitStatus == 0)
    }

    @Test func `a partial answer is labelled as partial and is a success`() throws {
        let late = try partial(.failed(Samples.timeout))
        let korean = try Samples.presentation().show(late)
        #expect(korean.lines.contains("           포스터: 시간 초과입니다. 잠시 뒤에 다시 시도하세요."))
        #expect(korean.lines.suffix(3) == ["", "일부만 도착했습니다: 1개 부분에 문제가 있습니다.", ""])
        #expect(korean.exitStatus == 0)
        let english = try Samples.presentation(language: .en).show(late)
        #expect(english.lines.suffix(2) == ["Partial answer: 1 part has a problem.", ""])
    }

    @Test func `a part that did not arrive is counted and labelled, too`() throws {
        let answer = try Samples.presentation().show(partial(nil))
        #expect(answer.lines.contains("           포스터: 도착하지 않음"))
        #expect(answer.lines.contains("일부만 도착했습니다: 1개 부분에 문제가 있습니다."))
    }

    @Test func `a stale chart is labelled below the date`() throws {
        let cacheStatus = CacheStatus(hit: true, fwd: .stale, age: 120)
        let old = PartOutcome.stale(
            try Samples.chart("a"), failure: Samples.timeout, cache: cacheStatus, sender: nil)
        let answer = try Samples.presentation().chart(old, .daily(Samples.date))
        #expect(answer.lines[1] == "차트: 오래된 자료 (2분 전) — 시간 초과입니다. 잠시 뒤에 다시 시도하세요.")
        #expect(answer.exitStatus == 0)
    }

    @Test(arguments: [true, false])
    func `a failed chart has its own exit code, and its reason on stderr`(isJSON: Bool) throws {
        let failed = PartOutcome.failed(Samples.timeout)
        let presentation = Samples.presentation(isJSON: isJSON, language: .en)
        for answer in [
            try presentation.show(ShowAssembly(.daily(Samples.date), chart: failed, codes: [])),
            try presentation.chart(failed, .daily(Samples.date)), try presentation.movie(failed, code: "20199882"),
            try presentation.poster(failed, of: .title("x")),
        ] {
            #expect(answer.exitStatus == 75)
            #expect(answer.notes == ["gateway: It timed out. Try again in a moment."])
            #expect(answer.output.isEmpty == !isJSON)
            if isJSON { #expect(try object(answer.output)["complete"] as? Bool == false) }
        }
    }

    @Test func `JSON is one line`() throws {
        let answer = try Samples.presentation(isJSON: true).show(assembly(("a\nb", "\"")))
        #expect(answer.lines.count == 2)
        #expect(try object(answer.output)["complete"] as? Bool == true)
    }

    @Test(
        arguments: [
            // The clock is at 00:30 in Seoul on the 21st.
            (-1, nil, "잠정"), (-1, 60, "잠정"), (-2, nil, "확정"), (-2, 3600, "확정"),
            // A copy that was fetched on the 20th before noon stays provisional in the cache.
            (-2, 13 * 3600, "잠정"), (-2, 12 * 3600, "확정"),
        ] as [(Int, Int?, String)])
    func `a chart is labelled with its state at the time of the fetch`(days: Int, age: Int?, word: String) throws {
        let date = Day.inSeoul(secondsSinceEpoch: Samples.now).advanced(by: days)
        let answer = try Samples.presentation().chart(chart(of: date, age: age), .daily(date))
        #expect(answer.lines[0].contains("\(word) · KOBIS"), "\(answer.lines[0])")
    }

    @Test func `a film is its title, its code and its fields`() throws {
        let answer = try Samples.presentation().movie(Samples.okFilm(), code: "20199882")
        #expect(answer.lines.prefix(3) == ["경관의 피  20199882", "", "감독      이규만, 김감독"])
        #expect(answer.lines.count == 11)
    }

    @Test func `a poster is its address, its size and its source`() throws {
        let sure = try Samples.presentation().poster(Samples.ok(Samples.poster()), of: .title("x"))
        #expect(
            sure.lines == [
                "http://image.example/1.jpg", "700 × 1000 · 네이버블로그 · http://page.example/1", "",
            ])
        let unsure = try Samples.presentation().poster(
            Samples.ok(Samples.poster(site: nil, confident: false)), of: .title("x"))
        #expect(unsure.lines[0].hasSuffix(".jpg (확실하지 않음)"))
        #expect(unsure.lines[1].contains("출처 없음"))
    }

    private func image(_ source: PosterImage.Source, number: Int) throws -> PartOutcome {
        Samples.ok(
            try JSONBytes.encode(
                PosterImage(
                    source: source, number: number, url: "http://image.example/1.jpg", site: "네이버블로그",
                    pageURL: "http://page.example/1", mediaType: "image/jpeg", width: 700, height: 1000, missed: [])))
    }

    @Test(
        arguments: [
            (.candidate, 1, "", ""),
            (
                .candidate, 3, "첫 이미지를 받지 못해 3번 후보를 저장했습니다.",
                "The first image could not be fetched: this is candidate 3."
            ),
            (
                .thumbnail, 1, "원본을 받지 못해 가장자리가 잘린 미리보기를 저장했습니다.",
                "No original could be fetched: this is a thumbnail, cut at its edges."
            ),
        ] as [(PosterImage.Source, Int, String, String)])
    func `a saved image is printed with its type and source`(
        source: PosterImage.Source, number: Int, korean: String, english: String
    ) throws {
        for (language, first, note) in [(Language.ko, "저장했습니다: a.jpg", korean), (.en, "Saved: a.jpg", english)] {
            let answer = try Samples.presentation(language: language).savedImage(
                image(source, number: number), of: Samples.ok(Samples.poster()), film: .title("x"), path: "a.jpg")
            let source = "700 × 1000 · image/jpeg · 네이버블로그 · http://page.example/1"
            #expect(answer.lines == [first, source] + (note.isEmpty ? [] : [note]) + [""])
            #expect(answer.exitStatus == 0)
        }
    }

    @Test func `a saved image is reported in JSON with its file`() throws {
        let answer = try Samples.presentation(isJSON: true).savedImage(
            image(.candidate, number: 1), of: Samples.ok(Samples.poster()), film: .code("20199882"), path: "a \"b\".jpg"
        )
        let members = try object(answer.output)
        #expect(members.keys.sorted() == ["code", "complete", "file", "image", "poster", "source"])
        #expect(members["file"] as? String == "a \"b\".jpg" && members["complete"] as? Bool == true)
        let image = try #require((members["image"] as? [String: Any])?["value"] as? [String: Any])
        #expect(image["source"] as? String == "candidate" && image["mediaType"] as? String == "image/jpeg")
    }

    @Test func `a missing image is reported with its reason, in JSON and in text`() throws {
        let failure = Failure(.noImage, LocalizedText(ko: "없습니다.", en: "There is none."), isRetryable: false)
        let poster = Samples.ok(try Samples.poster())
        for (image, poster) in [(.failed(failure), poster), (nil, .failed(failure))] as [(PartOutcome?, PartOutcome)] {
            let text = try Samples.presentation().savedImage(image, of: poster, film: .title("x"), path: nil)
            #expect(text.output.isEmpty && text.exitStatus == 69)
            #expect(text.notes == ["gateway: 없습니다."])
            let json = try Samples.presentation(isJSON: true).savedImage(
                image, of: poster, film: .title("x"), path: nil)
            let members = try object(json.output)
            #expect(members["file"] is NSNull && members["complete"] as? Bool == false && json.exitStatus == 69)
            #expect((members["image"] is NSNull) == (image == nil))
        }
    }

    @Test func `a saved image is printed with its certainty and its age`() throws {
        let cacheStatus = CacheStatus(hit: true, ttl: -30, age: 90, detail: PartOutcome.revalidating)
        let poster = PartOutcome.stale(
            try Samples.poster(confident: false), failure: nil, cache: cacheStatus, sender: nil)
        let answer = try Samples.presentation().savedImage(
            image(.candidate, number: 1), of: poster, film: .title("x"), path: "a.jpg")
        #expect(answer.lines[0] == "저장했습니다: a.jpg (확실하지 않음)")
        #expect(answer.lines[2] == "포스터: 오래된 자료 (1분 전) — 새 자료를 요청했습니다.")
    }

    @Test(arguments: [
        ("20199882", FilmReference.code("20199882")), ("2023c632", .code("2023C632")), ("Superman", .title("Superman")),
        ("경관의 피", .title("경관의 피")), ("#3", .rank(3)), ("#3a", .title("#3a")), ("2012", .title("2012")),
        ("202212345", .title("202212345")),
    ])
    func `a film is named by code or title`(text: String, film: FilmReference) {
        #expect(FilmReference(text) == film)
    }

    @Test func `a complete answer with stale parts is not called partial`() throws {
        var old = try partial(nil)
        let cacheStatus = CacheStatus(hit: true, ttl: -30, age: 90, detail: PartOutcome.revalidating)
        old.receive(.stale(try Samples.poster(), failure: nil, cache: cacheStatus, sender: nil), for: .poster(0))
        let korean = try Samples.presentation().show(old)
        #expect(korean.lines.contains("           포스터: 오래된 자료 (1분 전) — 새 자료를 요청했습니다."))
        #expect(korean.lines.suffix(3) == ["", "모두 도착했지만 1개 부분은 오래된 자료입니다.", ""])
        let english = try Samples.presentation(language: .en).show(old)
        #expect(english.lines.suffix(2) == ["All parts arrived, but 1 is stale.", ""])
    }

    @Test(
        arguments: [.detail(0), .poster(0), .detail(1), .poster(1)] as [ShowAssembly.Slot])
    func `a part that does not decode is labelled as missing, and the others are shown`(
        slot: ShowAssembly.Slot
    ) throws {
        var assembly = ShowAssembly(
            .daily(Samples.date), chart: Samples.ok(try Samples.chart("a", "b")), codes: ["20199880", "20199881"])
        for other in [ShowAssembly.Slot.detail(0), .poster(0), .detail(1), .poster(1)] where other != slot {
            switch other.part {
            case .detail: assembly.receive(try Samples.okFilm(), for: other)
            case .poster: assembly.receive(Samples.ok(try Samples.poster()), for: other)
            }
        }
        assembly.receive(Samples.ok(Array(#"{"directors":7"#.utf8)), for: slot)
        for format in [AnswerFormat.text, .records(.csv, nil)] {
            var presentation = Samples.presentation(language: .en)
            presentation.format = format
            let answer = try presentation.show(assembly)
            #expect(answer.exitStatus == 0)
            let text = String(decoding: answer.output, as: UTF8.self)
            #expect(text.contains("cannot be read") || text.contains("failed"), "\(text)")
            #expect(text.contains("이규만") && text.contains("네이버블로그"))
        }
        var strict = Samples.presentation()
        strict.isStrict = true
        #expect(try strict.show(assembly).exitStatus == 75)
    }

    @Test func `a chart that does not decode is a failure of the whole answer with a data error`() throws {
        let assembly = ShowAssembly(.daily(Samples.date), chart: Samples.ok([0x7B]), codes: ["20199880"])
        let answer = try Samples.presentation(language: .en).show(assembly)
        #expect(answer.exitStatus == 65 && answer.output.isEmpty && answer.notes.count == 1)
    }
}
