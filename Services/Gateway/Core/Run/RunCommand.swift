import ArgumentParser
import Assembly
import CommandKit
import Contracts
import Domain
import Envelope
import Localization
import ProcessKit
import Records

struct RunCommand: QuestionCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "run",
            abstract: say("영화의 흥행 추이를 날짜별로 출력", "Show a film's box-office run day by day."),
            discussion: """
                EXAMPLES
                  \(Installation.gateway) run '#1'                     \(say("어제의 1위", "yesterday's no. 1"))
                  \(Installation.gateway) run '#1' --date 2022-01-05   \(say("그날의 1위, 그날까지", "that day's no. 1, up to that day"))
                  \(Installation.gateway) run '#1' --format csv
                  \(Installation.gateway) run '#1' --json=date,dayOfRelease,audience

                \(say("차트는 10위까지만 제공됩니다. 10위 밖인 기간은 합계만 표시하며,\n10위 밖에 3주 동안 머무르면 흥행이 끝난 것으로 봅니다.", "Charts list the top 10 only. For days outside the top 10, only the combined total is available. A run is over when the film has been outside the top 10 for three weeks."))
                """)
    }
    static var fieldNames: [String] { FilmRecord.runFields.map(\.name) }

    @OptionGroup var film: FilmArgument
    @OptionGroup var calls: CallsOption
    @OptionGroup var format: FormatOptions
    @OptionGroup var policy: PolicyOptions
    @OptionGroup var common: CommonOptions

    func question(in context: CommandContext) throws -> @Sendable (GatewayCommands) async throws -> Answer {
        let day = try film.day(in: context)
        return { try await $0.run(film.reference, until: day, calls: calls.calls) }
    }
}

extension GatewayCommands {
    /// A film's run; the candidates when several films match.
    ///
    /// - Parameters:
    ///   - day: the last day of the run, and the day of the chart that a rank refers to.
    ///   - calls: how many missing charts may be fetched.
    func run(_ film: FilmReference, until day: Day, calls: Int) async throws -> Answer {
        try presentation.check(FilmRecord.runFields)
        return try await withCode(of: film, on: day) { code in
            var archived = try await query.filmRun(of: code, openedOn: nil, until: day, calls: calls)
            if archived.run == nil {
                // Without a row, only the film's detail says where its run may be.
                let opening = try await openingDay(of: code)
                archived = try await query.filmRun(of: code, openedOn: opening, until: day, calls: calls)
            }
            let yesterday = Day.yesterdayInSeoul(secondsSinceEpoch: presentation.now)
            return try await presentation(naming: [code])
                .run(archived, code: code, calls: calls, endingBeforeItsTime: day < yesterday ? day : nil)
        }
    }

    func openingDay(of code: String) async throws -> Day? {
        let detail = try await query.movie(code: code)
        guard let value = detail.value else {
            throw detail.failure ?? Failure.malformedEnvelope("a detail without a value")
        }
        return try JSONBytes.decode(FilmDetail.self, from: value).openingDay
    }
}

extension Presentation {
    /// - Parameter end: the last day that was asked for, when later ones have charts.
    fileprivate func run(
        _ archived: ArchivedRun, code: String, calls: Int, endingBeforeItsTime end: Day?
    ) throws -> Answer {
        guard let run = archived.run else { return withoutRun(archived, code: code) }
        var (notes, exitStatus) = ending(nil, isComplete: archived.isComplete)
        if run.unknownDays > 0 {
            let limit = calls > 0 && archived.calls >= calls ? limitNote(calls) : ""
            notes.insert("\(Installation.gateway): \(limit)\(missingNote(run.unknownDays, archived))", at: 0)
        }
        switch format {
        case .json:
            return Answer(
                output: try AnswerJSON.run(archived, run, code: code), notes: notes, exitStatus: exitStatus)
        case .fields, .records:
            let records = run.days.map { day in
                var record = FilmRecord(.daily(day.row.day), entry: day.row.entry, source: archived.source)
                record.state = day.row.state
                record.run = day
                return record
            }
            var answer = try answer(
                records, FilmRecord.runFields, asked: ("code", code), isComplete: archived.isComplete, nil)
            answer.notes = notes
            return answer
        case .text:
            let text = RunText(
                language: language, style: style, width: width, columns: columns,
                title: title(of: run.code, run.title), end: end)
            return Answer(lines: text.lines(run, source: archived.source), notes: notes, exitStatus: exitStatus)
        }
    }

    /// No known chart has the film: that its run is not known, or that it had none.
    func withoutRun(_ archived: ArchivedRun, code: String) -> Answer {
        let unknown = archived.unknown.reduce(0) { $0 + $1.count }
        if let failure = archived.failure {
            let what = language(
                "차트 \(unknown.withSeparators)개를 가져오지 못했습니다.", "\(unknown.withSeparators) charts could not be fetched.")
            return Answer(notes: ["\(Installation.gateway): \(what)"], exitStatus: FailureText.exitStatus(failure))
        }
        if unknown > 0 {
            return Answer(
                notes: ["\(Installation.gateway): \(missingNote(unknown, archived))"],
                exitStatus: FailureText.exitStatus(.notStored))
        }
        guard let days = archived.days else {
            let what = language(
                "아카이브의 차트에 이 영화(\(code.printable))가 없고, 개봉일도 알 수 없습니다. 기간을 지정하여 채우세요: \(Installation.gateway) archive fill 2022",
                "No archived chart has this film (\(code.printable)), and its opening day is unknown. Fill the years it may be in: \(Installation.gateway) archive fill 2022"
            )
            return Answer(notes: ["\(Installation.gateway): \(what)"], exitStatus: FailureText.exitStatus(.notStored))
        }
        let what = language(
            "이 영화(\(code.printable))는 \(days.lowerBound)부터 \(days.upperBound)까지 10위 안에 든 적이 없습니다.",
            "This film (\(code.printable)) was not in the top 10 between \(days.lowerBound) and \(days.upperBound).")
        return Answer(notes: ["\(Installation.gateway): \(what)"], exitStatus: ExitStatus.noInput)
    }

    private func limitNote(_ calls: Int) -> String {
        let count = calls.withSeparators
        return language(
            "차트를 \(count)개까지만 가져왔습니다(--calls \(calls)). ", "Fetched \(count) charts, the limit of --calls. ")
    }

    func missingNote(_ days: Int, _ archived: ArchivedRun) -> String {
        let range = archived.unknown.first.flatMap { first in
            archived.unknown.last.map { first.lowerBound...max(first.lowerBound, $0.upperBound) }
        }
        return missingNote(days, range)
    }

    /// - Parameter range: of the missing charts.
    func missingNote(_ charts: Int, _ range: ClosedRange<Day>?, options: String = "") -> String {
        let count = charts.withSeparators
        let missing = language(
            "차트 \(count)개가 없습니다.", charts == 1 ? "1 chart is missing." : "\(count) charts are missing.")
        guard let range else { return missing }
        let command = "\(Installation.gateway) archive fill \(range.lowerBound)..\(range.upperBound)\(options)"
        return "\(missing) "
            + language("가져오려면: \(command)", charts == 1 ? "To fetch it: \(command)" : "To fetch them: \(command)")
    }
}
