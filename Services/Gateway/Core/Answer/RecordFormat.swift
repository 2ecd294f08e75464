import FlatJSON
import ProcessKit

/// How records are written, one per line.
enum RecordFormat: String, Sendable, CaseIterable {
    /// RFC 4180 with a header, except for line ends: \n, as Unix tools expect. List items are separated by "; ".
    case csv
    /// With a header; a tab, line end or backslash in a value is escaped as \t, \n, \r or \\.
    case tsv
    /// One JSON object per line.
    case ndjson

    /// - Parameter isRaw: texts of CSV and TSV are not escaped against spreadsheet formulas.
    func lines<Row>(_ rows: [Row], _ fields: [RecordField<Row>], isRaw: Bool = false) -> [String] {
        switch self {
        case .csv: table(rows, fields, separator: ",", isRaw: isRaw, Self.quoted)
        case .tsv: table(rows, fields, separator: "\t", isRaw: isRaw, Self.escaped)
        case .ndjson: rows.map { String(decoding: Self.object($0, fields), as: UTF8.self) }
        }
    }

    /// A record as a JSON object; missing values are null.
    static func object<Row>(_ row: Row, _ fields: [RecordField<Row>]) -> [UInt8] {
        var json = JSONWriter(capacity: 1024)
        json.beginObject()
        for field in fields {
            switch field.value(row) {
            case .text(let text): json.field(text: field.name, .text(text))
            case .integer(let number): json.field(text: field.name, .number(number))
            case .decimal(let number): json.field(text: field.name, .decimal(number))
            case .flag(let flag): json.field(text: field.name, .flag(flag))
            case .list(let items): json.field(text: field.name, .list(items))
            case .missing: json.field(text: field.name, .null)
            }
        }
        json.endObject()
        return json.bytes
    }

    private func table<Row>(
        _ rows: [Row], _ fields: [RecordField<Row>], separator: String, isRaw: Bool, _ cell: (String) -> String
    ) -> [String] {
        let head = fields.map { cell($0.name) }
        let cells = rows.map { row in fields.map { cell(Self.text($0.value(row), isRaw: isRaw)) } }
        return ([head] + cells).map { $0.joined(separator: separator) }
    }

    private static func text(_ value: RecordValue, isRaw: Bool) -> String {
        switch value {
        case .text(let text): isRaw ? harmless(text) : withoutFormula(harmless(text))
        case .integer(let number): String(number)
        case .decimal(let number): String(number)
        case .flag(let flag): String(flag)
        case .list(let items):
            isRaw ? harmless(items.joined(separator: "; ")) : withoutFormula(harmless(items.joined(separator: "; ")))
        case .missing: ""
        }
    }

    /// Puts an apostrophe before a text that a spreadsheet would run as a formula (source: OWASP, "CSV Injection").
    private static func withoutFormula(_ text: String) -> String {
        guard let first = text.unicodeScalars.first, "=+-@\t\r".unicodeScalars.contains(first) else { return text }
        return "'" + text
    }

    /// No title contains terminal control characters, but a table may be printed on a terminal.
    private static func harmless(_ text: String) -> String {
        let lines = text.filter { !"\t\n\r".contains($0) }
        return lines.printable == lines ? text : text.printable
    }

    private static func quoted(_ text: String) -> String {
        let needsQuotes = text.utf8.contains { $0 == 0x22 || $0 == 0x2C || $0 == 0x0A || $0 == 0x0D }
        guard needsQuotes else { return text }
        // By scalar: as a Character, a quote followed by a combining mark does not equal a quote.
        return text.unicodeScalars.reduce(into: "\"") { result, scalar in
            if scalar == "\"" { result += "\"" }
            result.unicodeScalars.append(scalar)
        } + "\""
    }

    private static func escaped(_ text: String) -> String {
        text.unicodeScalars.reduce(into: "") { result, scalar in
            switch scalar {
            case "\t": result += "\\t"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\\": result += "\\\\"
            default: result.unicodeScalars.append(scalar)
            }
        }
    }
}
