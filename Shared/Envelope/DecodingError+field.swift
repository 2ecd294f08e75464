extension DecodingError {
    /// The field that could not be read, as "failure.code"; empty when it is the whole.
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
