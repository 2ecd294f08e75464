import ArgumentParser
import Assembly
import CommandKit
import Contracts
import Domain
import Envelope
import FlatJSON
import Localization
import ProcessKit
import Records
import TerminalText
import Wording

struct PersonCommand: FieldCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "person",
            abstract: say("감독이나 배우의 영화 출력", "List the films of a director or an actor."),
            discussion: """
                EXAMPLES
                  \(Installation.gateway) person 봉준호
                  \(Installation.gateway) person 'BONG Joon-ho' --json

                \(say("감독은 KOBIS 목록과 아카이브에서, 배우는 아카이브의 상세 정보에서만 찾습니다.\nKOBIS는 이름만 제공하므로 동명이인의 영화도 나옵니다.\n감독별 관객 합계는 제공하지 않습니다.", "Directors are looked up in the KOBIS catalogue and in the archive, actors in archived details only. KOBIS gives names only: films of people of the same name are listed together. Totals per director are not available."))
                """)
    }
    static var fieldNames: [String] { PersonFilm.fields.map(\.name) }

    @Argument(help: .words("전체 이름(한국어 또는 영어)", "Whole name, in Korean or English."))
    var name: String
    @OptionGroup var format: FormatOptions
    @OptionGroup var policy: PolicyOptions
    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard !TitleKey(name).isEmpty, name.utf8.count <= FilmSearch.maxTextBytes else {
            throw ValidationError.usage(
                "이름을 \(FilmSearch.maxTextBytes)바이트까지 쓰세요.", "Give a name of \(FilmSearch.maxTextBytes) bytes at most.")
        }
    }

    func answer(in context: CommandContext) async throws -> Answer {
        try await common.answer(in: context, policy, format: format) { try await $0.person(name) }
    }
}

extension GatewayCommands {
    /// The films of a director or an actor.
    func person(_ name: String) async throws -> Answer {
        try presentation.check(PersonFilm.fields)
        return try presentation.person(await query.films(of: name), name: name)
    }
}

extension PersonFilm {
    static let fields: [RecordField<PersonFilm>] = [
        RecordField("code") { .text($0.code) },
        RecordField("title") { .text($0.title) },
        RecordField("titleEnglish") { RecordValue($0.titleEnglish) },
        RecordField("opening") { RecordValue($0.opening) },
        RecordField("productionYear") { RecordValue($0.productionYear) },
        RecordField("isDirector") { .flag($0.isDirector) },
        RecordField("isActor") { .flag($0.isActor) },
    ]
}

extension Presentation {
    fileprivate func person(_ person: PersonFilms, name: String) throws -> Answer {
        let isEmpty = person.films.isEmpty
        var (notes, exitStatus) = ending(
            isEmpty ? person.failures.first ?? .nobody(name) : nil, isComplete: person.isComplete)
        if !isEmpty {
            notes += person.failures.map { "\(Installation.gateway): \(FailureText(language: language).line($0))" }
            if person.isCut {
                notes.append("\(Installation.gateway): \(language("일부 영화만 표시합니다.", "Not all films are listed."))")
            }
        }
        switch format {
        case .json, .fields:
            var names: [String]?
            if case .fields(let chosen) = format { names = chosen }
            let fields = try PersonFilm.fields.chosen(names)
            var json = JSONWriter(capacity: 4096)
            json.beginObject()
            json.field("name", name)
            json.field("complete", flag: person.isComplete)
            json.optionalField("source", person.source?.rawValue)
            json.field("archivedDetails", Int64(person.details))
            json.beginArray("films")
            for film in person.films { json.element(json: RecordFormat.object(film, fields)) }
            json.endArray()
            json.endObject()
            return Answer(output: json.bytes, notes: notes, exitStatus: exitStatus)
        case .records(let form, let names):
            var answer = Answer(notes: notes, exitStatus: exitStatus)
            answer.output = form.bytes(person.films, try PersonFilm.fields.chosen(names), tableStyle)
            return answer
        case .text:
            guard !isEmpty else { return Answer(notes: notes, exitStatus: exitStatus) }
            return Answer(lines: personLines(person, name), notes: notes, exitStatus: exitStatus)
        }
    }

    private func personLines(_ person: PersonFilms, _ name: String) -> [String] {
        let films = person.films
        func column(_ head: String, _ priority: Int, _ text: (PersonFilm) -> String) -> TextColumn {
            TextColumn([TextPiece(head)] + films.map { TextPiece(text($0)) }, priority: priority)
        }
        let wording = FilmWording(language: language)
        let count = films.count.withSeparators
        let heading = [
            TextPiece(name.printable, style: style.bold),
            TextPiece(language("\(count)편", films.count == 1 ? "1 film" : "\(count) films")),
            person.source?.label.map { TextPiece($0(language), style: style.dim) },
        ].compactMap(\.self).joined(columns: columns, indent: 0, width)
        let table = titledTable(
            [
                column(language("개봉", "opened"), 3) {
                    $0.opening ?? $0.productionYear.map { language("(\($0) 제작)", "(made \($0))") } ?? "-"
                },
                column(language("제목", "title"), TextColumn.required) {
                    wording.title($0.title, english: $0.titleEnglish).printable
                },
                column(language("참여", "as"), 2) { film in
                    [
                        film.isDirector ? language("감독", "director") : nil,
                        film.isActor ? language("배우", "actor") : nil,
                    ].compactMap(\.self).joined(separator: ", ")
                },
                column(language("코드", "code"), 1) { $0.code.printable },
            ], elastic: 1)
        let details = person.details.withSeparators
        return [heading, ""] + table
            + footnotes([
                language(
                    "감독: KOBIS 목록과 아카이브. 배우: 상세 정보가 있는 영화 \(details)편에서만 검색. 동명이인 포함",
                    "Directors: KOBIS catalogue and archive. Actors: only the \(details) films with archived details. People of the same name are listed together"
                )
            ])
    }
}

extension Failure {
    fileprivate static func nobody(_ name: String) -> Failure {
        Failure(
            .notFound,
            LocalizedText(
                ko:
                    "이름이 '\(name.printable)'인 감독이나 배우를 찾지 못했습니다. 성과 이름을 모두 입력했는지 확인하세요. 배우와 영문 이름은 상세 정보가 저장된 영화에서만 찾습니다.",
                en:
                    "No director or actor is called '\(name.printable)'. Give the whole name. Actors and English names are found only in films whose details are archived."
            ),
            isRetryable: false)
    }
}
