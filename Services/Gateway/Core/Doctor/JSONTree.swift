/// Any JSON value; its texts can be changed while its keys stay.
indirect enum JSONTree: Codable, Sendable, Equatable {
    case object([String: JSONTree])
    case array([JSONTree])
    case text(String)
    case whole(Int64)
    case number(Double)
    case flag(Bool)
    case null

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        // A decoder identifies a type only by rejecting the others.
        if container.decodeNil() {
            self = .null
        } else if let flag = try? container.decode(Bool.self) {
            self = .flag(flag)
        } else if let number = try? container.decode(Int64.self) {
            self = .whole(number)
        } else if let number = try? container.decode(Double.self) {
            self = .number(number)
        } else if let text = try? container.decode(String.self) {
            self = .text(text)
        } else if let items = try? container.decode([JSONTree].self) {
            self = .array(items)
        } else {
            self = .object(try container.decode([String: JSONTree].self))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .object(let members): try container.encode(members)
        case .array(let items): try container.encode(items)
        case .text(let text): try container.encode(text)
        case .whole(let number): try container.encode(number)
        case .number(let number): try container.encode(number)
        case .flag(let flag): try container.encode(flag)
        case .null: try container.encodeNil()
        }
    }

    /// A copy with every text changed.
    func mapTexts(_ change: (String) -> String) -> JSONTree {
        switch self {
        case .object(let members): .object(members.mapValues { $0.mapTexts(change) })
        case .array(let items): .array(items.map { $0.mapTexts(change) })
        case .text(let text): .text(change(text))
        case .whole, .number, .flag, .null: self
        }
    }
}
