import ArgumentParser
import CommandKit
import Localization
import ProcessKit
import Records

/// The form in which the films of an answer are printed.
struct FormatOptions: ParsableArguments {
    @Option(
        help: .words(
            "text, json, csv, tsv, ndjson(한 줄에 영화 하나)",
            "text, json, csv, tsv or ndjson (one JSON object per film)."))
    var format: OutputForm?

    @Option(
        help: .words(
            "출력할 필드, 예: rank,title,audience (help: 목록 출력)",
            "Fields to print, e.g. rank,title,audience (help: list them).",
            valueName: "names"), completion: Completions.fields(FilmRecord.allFields))
    var fields: String?

    @Flag(
        help: .words(
            "수식으로 해석될 셀을 이스케이프하지 않음",
            "Do not escape cells that a spreadsheet would treat as formulas."))
    var raw = false

    @Flag(
        help: .words(
            "Excel용 CSV 출력(한국어 머리글, UTF-8 BOM, CRLF)", "Print CSV for Excel (readable headings, byte order mark, CRLF)."
        ))
    var excel = false

    @Flag(
        name: .customLong("no-header"), help: .words("CSV, TSV를 머리글 없이 출력", "Print CSV or TSV without the header line.")
    )
    var noHeader = false

    @Flag(
        help: .words(
            "워커별 처리 시간과 임계 경로 출력",
            "Show which worker answered each request and how long it took, with the critical path."))
    var explain = false

    /// - Parameter language: of the headings for Excel.
    func tableStyle(_ language: Language) -> TableStyle {
        TableStyle(isRaw: raw, hasHead: !noHeader, excel: excel ? language : nil)
    }

    /// - Parameters:
    ///   - form: of `--format` or `-o`.
    ///   - isJSON: whether `--json` was given.
    func answerFormat(_ form: OutputForm?, isJSON: Bool) throws -> AnswerFormat {
        guard form == nil || form == .json || !isJSON else { throw OutputForm.exclusion }
        guard !excel || form ?? .records(.csv) == .records(.csv) && !isJSON else {
            throw StartupError.usage(
                "--excel은 CSV 출력이므로 --json이나 다른 형식과 함께 쓸 수 없습니다. --excel만 지정하세요.",
                "--excel needs CSV output: give it without --json or another format.")
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
        .usage(
            "--json, --format, -o는 함께 쓸 수 없습니다. 하나만 지정하세요.",
            "--json, --format and -o cannot be used together. Give one of them.")
    }
}

/// How text shows the films of a chart.
struct ViewOptions: ParsableArguments {
    @Flag(
        help: .words(
            "격자로 출력(터미널 너비에 맞춤)", "Print a grid as wide as the terminal."))
    var grid = false

    @Flag(help: .words("모든 수치를 표로 출력", "Print all figures as a table."))
    var wide = false

    func validate() throws {
        guard !(grid && wide) else {
            throw ValidationError.usage(
                "--grid와 --wide는 함께 쓸 수 없습니다. 하나만 지정하세요.",
                "--grid and --wide cannot be used together. Give one of them.")
        }
    }

    var view: ChartView { grid ? .grid : wide ? .wide : .list }
}
