import Domain
import Envelope
import TerminalText
import TestSupport
import Testing

@testable import Assembly

@Suite struct FilmCandidateTests {
    private static let charts = [
        Chart(
            .daily(Samples.date),
            entries: [
                Samples.entry(1, "경관의 피", code: "a"), Samples.entry(2, "스파이더맨: 노 웨이 홈", code: "b"),
                Samples.entry(3, "SING 2", code: "c"), Samples.entry(4, "피", code: "d"),
            ]),
        Chart(
            .daily(Samples.date.advanced(by: -1)),
            entries: [Samples.entry(1, "경관의 피", code: "a"), Samples.entry(2, "스파이더맨: 파 프롬 홈", code: "e")]),
    ]

    private static let films = charts.flatMap(\.entries).map { FilmCandidate($0, from: .upstream) }

    @Test(
        arguments: [
            ("경관", ["a"]), ("경관의피", ["a"]), ("sing2", ["c"]), ("스파이더맨", ["b", "e"]), ("파 프롬", ["e"]),
            ("\u{1100}\u{1167}\u{11BC}\u{1100}\u{116A}\u{11AB}", ["a"]), ("피", ["a", "d"]), ("", []), (" ", []),
            ("없는", []),
        ] as [(String, [String])])
    func `a film matches by a part of its title, once`(title: String, codes: [String]) {
        #expect(FilmCandidate.containing(title, among: Self.films).map(\.code) == codes)
    }

    @Test(arguments: [("피", ["d"]), ("경관의피 ", ["a"]), ("경관", []), ("", []), (" ", [])] as [(String, [String])])
    func `a film matches by its whole title, ignoring blanks`(title: String, codes: [String]) {
        #expect(FilmCandidate.titled(title, among: Self.films).map(\.code) == codes)
    }
}
