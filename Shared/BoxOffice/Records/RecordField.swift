public import Localization

/// A named value of each row of an answer.
public struct RecordField<Row: Sendable>: Sendable {
    public let name: String
    public let value: @Sendable (Row) -> RecordValue

    public init(_ name: String, _ value: @escaping @Sendable (Row) -> RecordValue) {
        self.name = name
        self.value = value
    }
}

/// One value of a record: a raw number, an ISO date, a list or a missing value.
public enum RecordValue: Sendable, Equatable {
    case text(String)
    case integer(Int64)
    case decimal(Double)
    case flag(Bool)
    case list([String])
    /// People: a spreadsheet has them in its reader's language, other forms in Korean.
    case names([LocalizedText])
    case missing

    public init(_ text: String?) { self = text.map(RecordValue.text) ?? .missing }
    public init(_ number: Int?) { self = number.map { .integer(Int64($0)) } ?? .missing }
}
