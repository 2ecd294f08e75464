import Envelope
import Foundation
import Localization
import Records
import TerminalText
import TestSupport
import Testing

@testable import Assembly
@testable import GatewayCore

@Suite struct ExplanationTests {
    private static func step(
        _ what: String, at start: Int, took: Int, _ change: (inout QueryStep) -> Void = { _ in }
    ) -> QueryStep {
        var step = QueryStep(
            what: what, kind: "movie.detail", start: .microseconds(start), took: .microseconds(took),
            deadlineLeft: .seconds(5) - .microseconds(start))
        step.status = "ok"
        step.instance = "detail-fetcher/1"
        change(&step)
        return step
    }

    private static let steps = [
        step("movie b", at: 104_000, took: 214_000) { $0.upstream = .microseconds(213_000) },
        step("peek 1", at: 0, took: 300) { $0.cache = "1 miss" },
        step("movie a", at: 104_000, took: 104_000),
        step("chart 2022-01-05", at: 400, took: 103_000) {
            $0.upstreamCalls = 3
            $0.upstreamOutcomes = ["500", "timeout", "200"]
            $0.attempts = 2
            $0.cache = "fwd=miss; stored"
        },
        step("peek 20", at: 103_500, took: 400) { $0.cache = "14 hit, 6 miss" },
        step("poster c", at: 104_000, took: 0) { $0.status = PartOutcome.revalidating },
    ]
    private static let explanation = QueryExplanation(steps, wall: .microseconds(318_400))

    @Test func `the critical path goes back from the end over the awaited steps`() {
        let critical = Self.explanation.critical.map { Self.explanation.steps[$0].what }
        #expect(critical == ["peek 1", "chart 2022-01-05", "peek 20", "movie b"])
        let sum = Self.explanation.critical.reduce(Duration.zero) { $0 + Self.explanation.steps[$1].took }
        #expect(sum + Self.explanation.own == Self.explanation.wall)
        #expect(Self.explanation.own == .microseconds(700))
    }

    @Test func `a step that began before another ended did not wait for it`() {
        let steps = [
            Self.step("a", at: 0, took: 50), Self.step("b", at: 20, took: 40), Self.step("c", at: 60, took: 10),
        ]
        let explanation = QueryExplanation(steps, wall: .microseconds(75))
        #expect(explanation.critical.map { explanation.steps[$0].what } == ["b", "c"])
    }

    @Test func `without steps all time is the gateway's own`() {
        let nothing = QueryExplanation([], wall: .milliseconds(3))
        #expect(nothing.critical.isEmpty && nothing.own == .milliseconds(3))
        #expect(
            ExplanationText(language: .en, style: Samples.plain).lines(nothing).last == "◀ total 3.0 ms = 3.0 (gateway)"
        )
    }

    @Test func `a waterfall has one line per step, and the sum of the critical path`() {
        let lines = ExplanationText(language: .en, style: Samples.plain).lines(Self.explanation)
        #expect(lines.count == 8)
        #expect(
            lines[2]
                == "  0.4     103.0  ◀  detail-fetcher/1  chart 2022-01-05  fwd=miss; stored, 3 tries: 500, timeout, 200, dispatched 2 times"
        )
        #expect(lines.count { $0.contains("◀") } == 5)
        #expect(lines.last == "◀ total 318.4 ms = 0.3 + 103.0 + 0.4 + 214.0 + 0.7 (gateway)")
        let korean = ExplanationText(language: .ko, style: Samples.plain).lines(Self.explanation)
        #expect(korean.last == "◀ 합계 318.4 ms = 0.3 + 103.0 + 0.4 + 214.0 + 0.7 (게이트웨이)")
    }

    @Test func `the rounded figures add up`() {
        let explanation = QueryExplanation([Self.step("a", at: 0, took: 2_940)], wall: .microseconds(3_660))
        let lines = ExplanationText(language: .en, style: Samples.plain).lines(explanation)
        #expect(lines.last == "◀ total 3.7 ms = 2.9 + 0.8 (gateway)")
        let short = QueryExplanation(
            [Self.step("a", at: 0, took: 550), Self.step("b", at: 550, took: 450)], wall: .microseconds(1_040))
        let text = ExplanationText(language: .en, style: Samples.plain).lines(short).last
        #expect(text == "◀ total 1.0 ms = 0.6 + 0.4 + 0.0 (gateway)")
    }

    @Test(arguments: [20, 40, 60, 80, 100, 160], [false, true])
    func `a narrow terminal gets fewer columns`(columns: Int, isWide: Bool) {
        let width = TextWidth(isAmbiguousWide: isWide)
        let text = ExplanationText(language: .ko, style: Samples.plain, width: width, columns: columns)
        for line in text.lines(Self.explanation).dropLast() { #expect(width.columns(line) <= columns, "\(line)") }
    }

    @Test func `names from other processes cannot control the terminal`() {
        let evil = Self.step("a\n\u{1B}[2J", at: 0, took: 5) {
            $0.instance = "x\u{7}"
            $0.code = FailureCode(rawValue: "\u{1B}c")
        }
        let lines = ExplanationText(language: .ko, style: Samples.plain).lines(
            QueryExplanation([evil], wall: .microseconds(9)))
        #expect(lines.allSatisfy { $0.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control } })
    }

    @Test func `in JSON it is a member of the answer, and unknown values are null`() throws {
        var presentation = Samples.presentation(isJSON: true)
        let answer = presentation.explained(Answer(output: Array(#"{"complete":true}"#.utf8)), Self.explanation)
        let object = try #require(JSONSerialization.jsonObject(with: Data(answer.output)) as? [String: Any])
        #expect(object["complete"] as? Bool == true)
        let explain = try #require(object["explain"] as? [String: Any])
        #expect(explain["wallMicroseconds"] as? Int == 318_400 && explain["ownMicroseconds"] as? Int == 700)
        let steps = try #require(explain["steps"] as? [[String: Any]])
        #expect(steps.map { $0["isCritical"] as? Bool } == [true, true, true, false, true, false])
        #expect(steps[1]["upstreamCalls"] as? Int == 3 && steps[1]["cache"] as? String == "fwd=miss; stored")
        #expect(steps[1]["upstreamOutcomes"] as? [String] == ["500", "timeout", "200"])
        #expect(steps[0]["upstreamMicroseconds"] is NSNull && steps[0]["code"] is NSNull)
        presentation.format = .records(.csv, nil)
        let records = presentation.explained(Answer(lines: ["a"]), Self.explanation)
        #expect(records.lines == ["a", ""] && records.notes.count == 8)
        presentation.format = .json
        #expect(presentation.explained(Answer(notes: [], exitStatus: 69), Self.explanation).notes.count == 8)
        #expect(presentation.notes(QueryExplanation([], wall: .seconds(1))).isEmpty)
        presentation.format = .text
        #expect(presentation.explained(Answer(lines: ["a"]), Self.explanation).lines.count == 11)
    }
}
