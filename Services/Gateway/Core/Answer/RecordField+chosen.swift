import CommandKit
import Domain
import Localization
import ProcessKit
import Records

extension Array {
    /// The fields with these names, in the order of the names; without names, all fields.
    ///
    /// - Throws: `StartupError` for an unknown name; it lists the known ones.
    func chosen<Row>(_ names: [String]?) throws -> [RecordField<Row>] where Element == RecordField<Row> {
        guard let names else { return self }
        let fields = try names.map { name in
            guard
                let field = first(where: { $0.name == name })
                    ?? first(where: { SpreadsheetWords.isName(name, of: $0.name) })
            else {
                let nearest = Suggestion.closest(to: name, among: map(\.name))
                let known = map(\.name).joined(separator: ", ")
                throw StartupError.usage(
                    "'\(name.printable)' 필드는 없습니다.\(nearest.map { " '\($0)'인가요?" } ?? "") 필드: \(known).",
                    "Unknown field '\(name.printable)'.\(nearest.map { " Did you mean '\($0)'?" } ?? "") Fields: \(known)."
                )
            }
            return field
        }
        if let twice = fields.indices.first(where: { place in
            fields[..<place].contains { $0.name == fields[place].name }
        }) {
            throw StartupError.usage(
                "'\(names[twice].printable)' 필드를 두 번 지정했습니다.", "The field '\(names[twice].printable)' is named twice.")
        }
        return fields
    }
}
