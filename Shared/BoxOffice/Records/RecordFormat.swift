internal import FlatJSON
public import Localization
internal import ProcessKit

/// How a table is written.
public struct TableStyle: Sendable, Equatable {
    /// Texts are not escaped against spreadsheet formulas.
    public var isRaw: Bool
    /// Whether it begins with the names of the fields.
    public var hasHead: Bool
    /// With the mark and the line ends by which Excel reads CSV as UTF-8, and in the words of this language; nil for
    /// other readers.
    public var excel: Language?

    public init(isRaw: Bool = false, hasHead: Bool = true, excel: Language? = nil) {
        self.isRaw = isRaw
        self.hasHead = hasHead
        self.excel = excel
    }
}

/// How records are written, one per line.
public enum RecordFormat: String, Sendable, CaseIterable {
    /// RFC 4180 with a header, except for line ends: \n, as Unix tools expect. List items are separated by "; ".
    case csv
    /// With a header; a tab, line end or backslash in a value is escaped as \t, \n, \r or \\.
    case tsv
    /// One JSON object per line.
    case ndjson

    /// The lines of the records, each with its end.
    ///
    /// - Parameter isStart: false for records that follow others.
    public func bytes<Row>(
        _ rows: some Sequence<Row>, _ fields: [RecordField<Row>], _ style: TableStyle = TableStyle(),
        isStart: Bool = true
    ) -> [UInt8] {
        var bytes: [UInt8] = isStart && style.excel != nil ? [0xEF, 0xBB, 0xBF] : []
        bytes.reserveCapacity((rows.underestimatedCount + 1) * fields.count * 10)
        if isStart, style.hasHead, self != .ndjson {
            write(fields, TableStyle(isRaw: true, excel: style.excel), to: &bytes) {
                .text(Self.heading($0.name, style))
            }
        }
        for row in rows {
            switch self {
            case .csv, .tsv: write(fields, style, to: &bytes) { $0.value(row) }
            case .ndjson:
                bytes += Self.object(row, fields)
                bytes.append(UInt8(ascii: "\n"))
            }
        }
        return bytes
    }

    /// A record as a JSON object; missing values are null.
    public static func object<Row>(_ row: Row, _ fields: [RecordField<Row>]) -> [UInt8] {
        var json = JSONWriter(capacity: 1024)
        json.beginObject()
        for field in fields {
            switch field.value(row) {
            case .text(let text): json.field(text: field.name, .text(text))
            case .integer(let number): json.field(text: field.name, .number(number))
            case .decimal(let number): json.field(text: field.name, .decimal(number))
            case .flag(let flag): json.field(text: field.name, .flag(flag))
            case .list(let items): json.field(text: field.name, .list(items))
            case .names(let names): json.field(text: field.name, .list(names.map(\.ko)))
            case .missing: json.field(text: field.name, .null)
            }
        }
        json.endObject()
        return json.bytes
    }

    private func write<Row>(
        _ fields: [RecordField<Row>], _ style: TableStyle, to bytes: inout [UInt8],
        value: (RecordField<Row>) -> RecordValue
    ) {
        for index in fields.indices {
            if index > 0 { bytes.append(self == .csv ? UInt8(ascii: ",") : UInt8(ascii: "\t")) }
            switch value(fields[index]) {
            case .text(let text): write(Self.word(text, of: fields[index].name, style), isRaw: style.isRaw, to: &bytes)
            case .list(let items):
                let words = style.excel == nil ? items : items.map { Self.word($0, of: fields[index].name, style) }
                write(words.joined(separator: "; "), isRaw: style.isRaw, to: &bytes)
            case .names(let names):
                let words = names.map { $0(style.excel ?? .ko) }
                write(words.joined(separator: "; "), isRaw: style.isRaw, to: &bytes)
            case .integer(let number): bytes.append(text: String(number))
            case .decimal(let number): bytes.append(text: String(number))
            case .flag(let flag):
                bytes.append(text: style.excel?(flag ? "예" : "아니요", flag ? "yes" : "no") ?? String(flag))
            case .missing:
                if let language = style.excel, let text = SpreadsheetWords.missing(fields[index].name) {
                    write(text(language), isRaw: style.isRaw, to: &bytes)
                }
            }
        }
        if style.excel != nil { bytes.append(UInt8(ascii: "\r")) }
        bytes.append(UInt8(ascii: "\n"))
    }

    private static func heading(_ name: String, _ style: TableStyle) -> String {
        style.excel.flatMap { SpreadsheetWords.heading(name)?($0) } ?? name
    }

    private static func word(_ text: String, of name: String, _ style: TableStyle) -> String {
        style.excel.flatMap { SpreadsheetWords.value(text, of: name)?($0) } ?? text
    }

    private func write(_ text: String, isRaw: Bool, to bytes: inout [UInt8]) {
        let harmless = isRaw ? Self.harmless(text) : Self.withoutFormula(Self.harmless(text))
        bytes.append(text: self == .csv ? Self.quoted(harmless) : Self.escaped(harmless))
    }

    /// Puts an apostrophe before a text that a spreadsheet would run as a formula (source: OWASP, "CSV Injection").
    private static func withoutFormula(_ text: String) -> String {
        switch text.utf8.first {
        case UInt8(ascii: "="), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "@"), 0x09, 0x0D: "'" + text
        default: text
        }
    }

    /// No title contains terminal control characters, but a table may be printed on a terminal.
    private static func harmless(_ text: String) -> String {
        guard text.printable != text else { return text }
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
        guard text.utf8.contains(where: { [0x09, 0x0A, 0x0D, 0x5C].contains($0) }) else { return text }
        return text.unicodeScalars.reduce(into: "") { result, scalar in
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

extension [UInt8] {
    fileprivate mutating func append(text: String) {
        var text = text
        text.withUTF8 { append(contentsOf: $0) }
    }
}
