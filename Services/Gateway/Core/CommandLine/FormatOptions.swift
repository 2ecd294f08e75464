import ArgumentParser
import CommandKit
import ProcessKit
import Records

/// The form in which the films of an answer are printed.
struct FormatOptions: ParsableArguments {
    @Option(
        help: .words(
            "text, json, csv, tsv, ndjson(영화마다 한 줄).",
            "text, json, csv, tsv, or ndjson (a JSON object a film and line)."))
    var format: OutputForm?

    @Option(
        help: .words(
            "이 필드만, 쉼표로 나누어: rank,title,audience. --json=rank,title은 --json --fields를 줄인 것.",
            "Only these, comma separated, as rank,title,audience; --json=rank,title is short for --json --fields.",
            valueName: "names"), completion: Completions.fields(FilmRecord.allFields))
    var fields: String?

    @Flag(
        help: .words(
            "CSV, TSV의 글을 그대로. 기본값: 수식 앞에 작은따옴표.",
            "Texts of CSV and TSV as they are; default: an apostrophe before those that a spreadsheet would run."))
    var raw = false

    @Flag(help: .words("Excel용 CSV(UTF-8 BOM, CRLF).", "CSV for Excel: with a byte order mark and CRLF."))
    var excel = false

    @Flag(name: .customLong("no-header"), help: .words("CSV, TSV의 머리글 없이.", "CSV and TSV without the line of names."))
    var noHeader = false

    @Flag(
        help: .words(
            "누가 무엇을 답했고 얼마나 걸렸는지. 임계 경로 표시.",
            "Show which process answered what, from where, and how long it took; marks the critical path."))
    var explain = false

    var tableStyle: TableStyle { TableStyle(isRaw: raw, hasHead: !noHeader, isForExcel: excel) }

    /// - Parameters:
    ///   - form: of `--format` or `-o`.
    ///   - isJSON: whether `--json` was given.
    func answerFormat(_ form: OutputForm?, isJSON: Bool) throws -> AnswerFormat {
        guard form == nil || form == .json || !isJSON else { throw OutputForm.exclusion }
        guard !excel || form ?? .records(.csv) == .records(.csv) && !isJSON else {
            throw StartupError.usage("--excel은 CSV에만 씁니다.", "--excel is for CSV only.")
        }
        let form = form ?? (isJSON ? .json : excel ? .records(.csv) : .text)
        guard !noHeader || form == .records(.csv) || form == .records(.tsv) else {
            throw StartupError.usage(
                "--no-header는 --format csv, tsv와 함께 씁니다.", "--no-header needs --format csv or tsv.")
        }
        guard !raw || form == .records(.csv) || form == .records(.tsv) else {
            throw StartupError.usage("--raw는 --format csv, tsv와 함께 씁니다.", "--raw needs --format csv or tsv.")
        }
        let names = fields?.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        switch form {
        case .records(let format): return .records(format, names)
        case .json: return names.map(AnswerFormat.fields) ?? .json
        case .text:
            guard names == nil else {
                throw StartupError.usage(
                    "--fields는 --json이나 --format csv, tsv, ndjson과 함께 씁니다.",
                    "--fields needs --json, or --format csv, tsv or ndjson.")
            }
            return .text
        }
    }
}

/// The forms of output.
enum OutputForm: Hashable, ExpressibleByArgument {
    case text, json
    case records(RecordFormat)

    init?(argument: String) {
        switch argument {
        case "text": self = .text
        case "json": self = .json
        default:
            guard let format = RecordFormat(rawValue: argument) else { return nil }
            self = .records(format)
        }
    }

    static let allValueStrings = ["text", "json"] + RecordFormat.allCases.map(\.rawValue)

    /// Two different forms were requested.
    static var exclusion: StartupError {
        .usage("--json, --format, -o는 함께 쓸 수 없습니다.", "--json, --format and -o exclude each other.")
    }
}

/// How text shows the films of a chart.
struct ViewOptions: ParsableArguments {
    @Flag(
        help: .words(
            "터미널 너비만큼 칸을 나란히.", "Cells beside each other, as many as the terminal is wide for."))
    var grid = false

    @Flag(help: .words("모든 수치를 표로.", "A table of all figures."))
    var wide = false

    func validate() throws {
        guard !(grid && wide) else {
            throw ValidationError.usage("--grid와 --wide는 함께 쓸 수 없습니다.", "--grid and --wide exclude each other.")
        }
    }

    var view: ChartView { grid ? .grid : wide ? .wide : .list }
}
