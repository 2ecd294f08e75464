extension DecodingError {
    /// The path of the unreadable field, for example "failure.code"; empty for the whole value.
    var field: String {
        let path: [any CodingKey] =
            switch self {
            case .keyNotFound(let key, let context): context.codingPath + [key]
            case .valueNotFound(_, let context), .typeMismatch(_, let context), .dataCorrupted(let context):
                context.codingPath
            @unknown default: []
            }
        return path.map(\.stringValue).joined(separator: ".")
    }
}
