/// One value of a record: raw numbers, ISO dates, lists that stay lists, and what is not known.
enum RecordValue: Sendable, Equatable {
    case text(String)
    case integer(Int64)
    case decimal(Double)
    case flag(Bool)
    case list([String])
    case missing

    init(_ text: String?) { self = text.map(RecordValue.text) ?? .missing }
    init(_ number: Int?) { self = number.map { .integer(Int64($0)) } ?? .missing }
}
