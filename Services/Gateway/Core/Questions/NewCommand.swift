import ArgumentParser
import Assembly
import CommandKit
import Contracts
import Domain
import Envelope
import Localization
import ProcessKit
import Records
import TerminalText
import Wording

struct NewCommand: QuestionCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "new",
            abstract: say("새로 10위 안에 든 영화 출력", "List the films that entered the top 10."),
            discussion: """
                EXAMPLES
                  \(Installation.gateway) new                \(say("지난 7일", "the last seven days"))
                  \(Installation.gateway) new 2022-01
                  \(Installation.gateway) new last-month --json=code,title,day,rank

                \(QuestionHelp.limits)
                """)
    }
    static var fieldNames: [String] { Presentation.newFields.map(\.name) }

    @Argument(
        help: .words("기간, 예: 2022-01, -7d..", "Range of days, e.g. 2022-01 or -7d..."), completion: Completions.days)
    var range = "-7d.."
    @OptionGroup var calls: CallsOption
    @OptionGroup var format: FormatOptions
    @OptionGroup var policy: PolicyOptions
    @OptionGroup var common: CommonOptions

    func question(in context: CommandContext) throws -> @Sendable (GatewayCommands) async throws -> Answer {
        let days = try DateArgument.range(range, now: context.clock.now())
        return { try await $0.newFilms(days, calls: calls.calls) }
    }
}

extension GatewayCommands {
    /// The films that entered the ten in a range.
    func newFilms(_ days: ClosedRange<Day>, calls: Int) async throws -> Answer {
        try presentation.check(Presentation.newFields)
        let reply = try await query.newFilms(in: days, calls: calls)
        return try await presentation(naming: reply.films.map(\.code)).newFilms(reply)
    }
}

extension Presentation {
    static let newFields: [RecordField<NewFilm>] = [
        RecordField("kind") { .text($0.kind.rawValue) },
        RecordField("day") { .text($0.day.iso) },
        RecordField("rank") { .integer(Int64($0.rank)) },
        RecordField("code") { .text($0.code) },
        RecordField("title") { .text($0.title) },
        RecordField("openingDay") { RecordValue($0.openingDay?.iso) },
        RecordField("audience") { .integer(Int64($0.audience)) },
        RecordField("isProvisional") { .flag($0.isProvisional) },
    ]

    fileprivate func newFilms(_ reply: ArchiveNewReply) throws -> Answer {
        var answer = QuestionAnswer(rows: reply.films, fields: Self.newFields, name: "films", basis: reply.basis)
        let unclear = reply.films.filter { $0.kind == .unclear }.map(\.day)
        if let first = unclear.min(), let last = unclear.max(), last > .firstChart {
            let before = max(Day.firstChart, first.advanced(by: -FilmRun.longestGap))...last.advanced(by: -1)
            let command = "\(Installation.gateway) archive fill \(before.written)"
            let note = language(
                "미확인 영화를 판별하려면 이전 차트가 필요합니다: \(command)", "To tell whether undetermined films are new: \(command)")
            answer.notes.append("\(Installation.gateway): \(note)")
        }
        return try question(answer, heading: questionHeading(reply.basis, language("새로 진입한 영화", "new in the top 10"))) {
            guard !reply.films.isEmpty else { return [language("새로 진입한 영화가 없습니다.", "No film entered the top 10.")] }
            let blocks = NewFilm.Kind.allCases.compactMap { kind -> [String]? in
                let films = reply.films.filter { $0.kind == kind }
                return films.isEmpty ? nil : [style.bold(name(kind))] + newTable(films)
            }
            let isProvisional = reply.films.contains(where: \.isProvisional)
            let notes = [
                reply.films.contains { $0.kind == .unclear }
                    ? language(
                        "미확인: 진입 전 \(FilmRun.longestGap)일의 차트가 일부 없어 첫 진입인지 확인할 수 없는 영화",
                        "Undetermined: some charts of the \(FilmRun.longestGap) days before are missing, so the film may not be new."
                    )
                    : nil,
                isProvisional ? language("*: 잠정", "*: provisional") : nil,
            ]
            return Array(blocks.joined(separator: [""])) + footnotes(notes)
        }
    }

    private func name(_ kind: NewFilm.Kind) -> String {
        switch kind {
        case .release: language("개봉작", "releases")
        case .rerelease: language("재개봉", "re-releases")
        case .unclear: language("미확인", "undetermined")
        }
    }

    private func newTable(_ films: [NewFilm]) -> [String] {
        func column(
            _ head: String, _ priority: Int, _ alignment: TextColumn.Alignment, _ text: (NewFilm) -> String
        ) -> TextColumn {
            TextColumn([TextPiece(head)] + films.map { TextPiece(text($0)) }, alignment: alignment, priority: priority)
        }
        return titledTable(
            [
                column(language("진입일", "day"), TextColumn.required, .leading) { $0.day.iso },
                column(language("순위", "rank"), 3, .trailing) { "\($0.rank)" },
                column(language("제목", "title"), TextColumn.required, .leading) { title(of: $0.code, $0.title) },
                column(language("개봉일", "opened"), 1, .leading) { $0.openingDay?.iso ?? "-" },
                column(language("진입일 관객", "admissions"), 2, .trailing) {
                    $0.audience.withSeparators + ($0.isProvisional ? "*" : "")
                },
            ], elastic: 2)
    }
}
