public import ArgumentParser
import Assembly
import CommandKit
public import Domain
import Envelope
import FlatJSON
import Localization
import ProcessKit
import Records
import TerminalText
import Wording

struct CompareCommand: QuestionCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "compare",
            abstract: say("영화 2~6편의 누적 관객 비교", "Compare the totals of two to six films."),
            discussion: """
                EXAMPLES
                  \(Installation.gateway) compare '#1' '#2'
                  \(Installation.gateway) compare '#1' '#2' '#3' --by date
                  \(Installation.gateway) compare '#1' '#2' --date 2022-01-05 --format csv

                \(say("개봉일을 모르는 영화는 --by date로만 비교합니다.\n재개봉작은 재개봉일부터 계산합니다.", "Films without an opening day need --by date. A re-release counts from its own first day."))
                \(QuestionHelp.limits)
                """)
    }
    static var fieldNames: [String] { ComparedDay.fields.map(\.name) }

    private static let allowed = 2...6

    @Argument(
        help: .words(
            "영화 코드, 순위(예: '#3'), 제목", "KOBIS code, rank (e.g. '#3') or title of each film."),
        completion: Completions.films)
    var films: [String]
    @Option(help: .words("비교 기준: 개봉일, 날짜", "Align the films by days since the release or by date."))
    var by = RunComparison.Axis.release
    @Option(
        help: .words(
            "순위의 기준일, 집계의 마지막 날 (기본값: 어제)",
            "Chart day for ranks such as '#1', and the last day shown (default: yesterday in Seoul)."),
        completion: Completions.days)
    var date: String?
    @OptionGroup var calls: CallsOption
    @OptionGroup var format: FormatOptions
    @OptionGroup var policy: PolicyOptions
    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard Self.allowed.contains(films.count) else {
            throw ValidationError.usage(
                "비교할 영화를 2~6편 지정하세요. 순위는 따옴표와 함께 씁니다: '#1' '#2'",
                "Give two to six films. Quote ranks for the shell: '#1' '#2'")
        }
        if let day = films.first(where: { Day(iso: $0) != nil }) {
            throw ValidationError.usage(
                "날짜는 \("--date \(day)".with(.direction)) 지정하세요.", "Give the day as --date \(day).")
        }
        guard films.allSatisfy({ $0.contains { !$0.isWhitespace } && $0.utf8.count <= FilmSearch.maxTextBytes }) else {
            throw ValidationError.usage(
                "영화 코드, '#3' 같은 순위, 또는 \(FilmSearch.maxTextBytes)바이트까지의 제목을 쓰세요.",
                "Give a film's code, its rank as '#3', or a title of \(FilmSearch.maxTextBytes) bytes at most.")
        }
    }

    func question(in context: CommandContext) throws -> @Sendable (GatewayCommands) async throws -> Answer {
        let day = try DateArgument.resolve(date, now: context.clock.now())
        return { try await $0.compare(films.map(FilmReference.init), by: by, until: day, calls: calls.calls) }
    }
}

extension RunComparison.Axis: ExpressibleByArgument {
    /// Also "개봉일" and "날짜".
    public init?(argument: String) {
        self.init(rawValue: ["개봉일": "release", "날짜": "date"][argument.nfc] ?? argument)
    }
}

extension GatewayCommands {
    /// The totals of films side by side.
    ///
    /// - Parameters:
    ///   - day: the last day of the runs, and the day of the chart that a rank refers to.
    ///   - calls: how many missing charts may be fetched for all of them.
    func compare(
        _ films: [FilmReference], by axis: RunComparison.Axis, until day: Day, calls: Int
    ) async throws -> Answer {
        try presentation.check(ComparedDay.fields)
        var codes: [String] = []
        for film in films {
            switch try await code(of: film, on: day) {
            case .candidates(let answer): return answer
            case .code(let code, _):
                guard !codes.contains(code) else {
                    throw StartupError.usage(
                        "같은 영화(\(code.printable))를 두 번 썼습니다. 서로 다른 영화를 쓰세요.",
                        "The same film (\(code.printable)) is named twice. Name different films.")
                }
                codes.append(code)
            }
        }
        let runs = try await runs(of: codes, until: day, calls: calls)
        for (code, run) in zip(codes, runs) where run.run == nil { return presentation.withoutRun(run, code: code) }
        guard let comparison = RunComparison(runs.compactMap(\.run), by: axis) else {
            throw StartupError.usage(
                "개봉일을 모르는 영화가 있습니다. --by date를 쓰세요.",
                "A film has no known opening day. Use --by date.")
        }
        return try await presentation(naming: codes).compare(comparison, runs)
    }

    /// What is known of all runs at once; what is missing is then fetched film by film.
    private func runs(of codes: [String], until day: Day, calls: Int) async throws -> [ArchivedRun] {
        var runs = try await withThrowingTaskGroup(of: (Int, ArchivedRun).self) { group in
            for (index, code) in codes.enumerated() {
                group.addTask { (index, try await query.filmRun(of: code, openedOn: nil, until: day, calls: 0)) }
            }
            var runs: [Int: ArchivedRun] = [:]
            for try await (index, run) in group { runs[index] = run }
            return codes.indices.compactMap { runs[$0] }
        }
        var rest = calls
        for (index, code) in codes.enumerated() where !runs[index].isComplete && rest > 0 {
            var run = try await query.filmRun(of: code, openedOn: nil, until: day, calls: rest)
            if run.run == nil {
                // Without a row, only the film's detail says where its run may be.
                run = try await query.filmRun(of: code, openedOn: openingDay(of: code), until: day, calls: rest)
            }
            // A message may contain any number.
            rest -= min(max(0, run.calls), rest)
            runs[index] = run
        }
        return runs
    }
}

/// A film on a day of a comparison.
struct ComparedDay: Sendable {
    let axis: RunComparison.Axis
    let position: Int
    let run: FilmRun
    let total: Int
    /// The first film's total less this one's; nil where it is not known.
    let behind: Int?

    static let fields: [RecordField<ComparedDay>] = [
        RecordField("dayOfRelease") { $0.axis == .release ? .integer(Int64($0.position)) : .missing },
        RecordField("date") { $0.axis == .date ? .text(Day(daysSinceEpoch: $0.position).iso) : .missing },
        RecordField("code") { .text($0.run.code) },
        RecordField("title") { .text($0.run.title) },
        RecordField("audienceTotal") { .integer(Int64($0.total)) },
        RecordField("difference") { RecordValue($0.behind) },
    ]

    static func all(_ comparison: RunComparison) -> [ComparedDay] {
        comparison.lines.flatMap { line in
            zip(comparison.runs, line.totals).compactMap { run, total in
                total.map { total in
                    ComparedDay(
                        axis: comparison.axis, position: line.position, run: run, total: total,
                        behind: (line.totals.first ?? nil).map { $0 &- total })
                }
            }
        }
    }
}

extension Presentation {
    fileprivate func compare(_ comparison: RunComparison, _ archived: [ArchivedRun]) throws -> Answer {
        let isComplete = archived.allSatisfy(\.isComplete)
        var (notes, exitStatus) = ending(nil, isComplete: isComplete)
        for (run, archived) in zip(comparison.runs, archived) where run.unknownDays > 0 {
            notes.append(
                "\(Installation.gateway): \(title(of: run.code, run.title)): \(missingNote(run.unknownDays, archived))")
        }
        let source = archived.compactMap(\.source).min()
        switch format {
        case .json:
            let json = try json(comparison, isComplete: isComplete, source: source)
            return Answer(output: json, notes: notes, exitStatus: exitStatus)
        case .fields(let names):
            var json = JSONWriter(capacity: 4096)
            json.beginObject()
            json.field("by", comparison.axis.rawValue)
            json.field("complete", flag: isComplete)
            json.optionalField("source", source?.rawValue)
            json.beginArray("days")
            let fields = try ComparedDay.fields.chosen(names)
            for day in ComparedDay.all(comparison) { json.element(json: RecordFormat.object(day, fields)) }
            json.endArray()
            json.endObject()
            return Answer(output: json.bytes, notes: notes, exitStatus: exitStatus)
        case .records(let form, let names):
            var answer = Answer(notes: notes, exitStatus: exitStatus)
            answer.output = form.bytes(
                ComparedDay.all(comparison), try ComparedDay.fields.chosen(names), tableStyle)
            return answer
        case .text:
            let text = CompareText(
                language: language, style: style, width: width, columns: columns,
                titles: comparison.runs.map { title(of: $0.code, $0.title) })
            return Answer(lines: text.lines(comparison, source: source), notes: notes, exitStatus: exitStatus)
        }
    }

    /// { by, complete, source, films: [ { code, title, openingDay, run } ], lines: [ { dayOfRelease, date, totals, difference
    /// } ], milestones: [ { audience, films: [ { date, isExact, daysOfRelease } ] } ] }; the lists of a line and a milestone are
    /// in the order of the films, and null where nothing is known.
    private func json(_ comparison: RunComparison, isComplete: Bool, source: DataSource?) throws -> [UInt8] {
        var json = JSONWriter(capacity: 4096)
        json.beginObject()
        json.field("by", comparison.axis.rawValue)
        json.field("complete", flag: isComplete)
        json.optionalField("source", source?.rawValue)
        json.beginArray("films")
        for run in comparison.runs {
            json.beginObject()
            json.field("code", run.code)
            json.field("title", run.title)
            json.optionalField("openingDay", run.openingDay?.iso)
            json.field("run", json: try JSONBytes.encode(run))
            json.endObject()
        }
        json.endArray()
        json.beginArray("lines")
        for line in comparison.lines {
            let isByRelease = comparison.axis == .release
            json.beginObject()
            json.optionalField("dayOfRelease", isByRelease ? line.position : nil)
            json.optionalField("date", isByRelease ? nil : Day(daysSinceEpoch: line.position).iso)
            json.beginArray("totals")
            for total in line.totals {
                if let total { json.element(Int64(total)) } else { json.missingElement() }
            }
            json.endArray()
            json.optionalField("difference", line.difference)
            json.endObject()
        }
        json.endArray()
        json.beginArray("milestones")
        for milestone in comparison.milestones {
            json.beginObject()
            json.field("audience", Int64(milestone.audience))
            json.beginArray("films")
            for (reached, days) in zip(milestone.dates, milestone.days) {
                guard let reached else {
                    json.missingElement()
                    continue
                }
                json.beginObject()
                json.field("date", reached.date.iso)
                json.field("isExact", flag: reached.isExact)
                json.optionalField("dayOfRelease", days)
                json.endObject()
            }
            json.endArray()
            json.endObject()
        }
        json.endArray()
        json.endObject()
        return json.bytes
    }
}
