/// The change of a film's rank since the day before.
///
/// In JSON it is one text: "new", "same", "up 3", "down 3".
public enum Movement: Codable, Sendable, Equatable {
    case new
    /// The number of ranks climbed, at least 1.
    case up(Int)
    /// The number of ranks fallen, at least 1.
    case down(Int)
    case same
}

extension Movement: CustomStringConvertible {
    public var description: String {
        switch self {
        case .new: "new"
        case .up(let ranks): "up \(ranks)"
        case .down(let ranks): "down \(ranks)"
        case .same: "same"
        }
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        let words = text.split(separator: " ", omittingEmptySubsequences: false)
        let ranks = words.count == 2 ? Int(words[1]).flatMap { $0 > 0 ? $0 : nil } : nil
        switch (words.first, ranks) {
        case ("new", nil) where words.count == 1: self = .new
        case ("same", nil) where words.count == 1: self = .same
        case ("up", let ranks?): self = .up(ranks)
        case ("down", let ranks?): self = .down(ranks)
        default:
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "\"\(text)\" is no movement")
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
