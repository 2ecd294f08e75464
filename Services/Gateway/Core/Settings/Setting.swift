/// A setting as it holds for this program, and where its value is from.
struct Setting: Sendable, Equatable {
    /// The variable's name.
    let name: String
    /// nil when there is none.
    let value: String?
    /// "option", "environment", "default", or a file and its line.
    let origin: String
}

extension Setting: Encodable {
    private enum CodingKeys: CodingKey {
        case name, value, origin
    }

    /// Every key is there; what has no value is null.
    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(name, forKey: .name)
        try container.encode(value, forKey: .value)
        try container.encode(origin, forKey: .origin)
    }
}
