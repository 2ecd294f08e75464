import Domain

/// A request of the image search, validated as by Kakao.
struct ImageSearchRequest: Sendable {
    enum Sort: String, Sendable {
        case accuracy
        case recency
    }

    let query: ImageQuery
    let sort: Sort
    let page: Int
    let size: Int

    /// - Throws: ``KakaoRefusal`` in the words that Kakao uses.
    init(_ parameters: QueryParameters) throws(Refused) {
        let text = parameters["query"] ?? ""
        guard text.contains(where: { !$0.isWhitespace }) else { throw Refused(refusal: .missingQuery) }
        query = ImageQuery(text)
        guard let sort = Sort(rawValue: parameters["sort"] ?? Sort.accuracy.rawValue) else {
            throw Refused(refusal: .invalidArgument("sort is invalid"))
        }
        self.sort = sort
        page = try Self.number("page", in: 1...50, otherwise: 1, parameters)
        size = try Self.number("size", in: 1...80, otherwise: 80, parameters)
    }

    struct Refused: Error {
        let refusal: KakaoRefusal
    }

    private static func number(
        _ name: String, in range: ClosedRange<Int>, otherwise: Int, _ parameters: QueryParameters
    ) throws(Refused) -> Int {
        guard let text = parameters[name] else { return otherwise }
        guard let number = Int(text) else { throw Refused(refusal: .invalidArgument("\(name) is not a number")) }
        guard number >= range.lowerBound else { throw Refused(refusal: .invalidArgument("\(name) is less than min")) }
        guard number <= range.upperBound else { throw Refused(refusal: .invalidArgument("\(name) is more than max")) }
        return number
    }
}
