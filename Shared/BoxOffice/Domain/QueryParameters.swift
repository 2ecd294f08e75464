/// The parameters of a request's query, decoded once; of several with one name the last counts.
///
/// Hummingbird's own reading keeps "+" as it is; forms encode a space that way, and KOBIS and Kakao accept it.
public struct QueryParameters: Sendable {
    public let values: [String: String]
    private let lists: [String: [String]]

    public init(_ query: String?) {
        var lists: [String: [String]] = [:]
        for pair in (query ?? "").split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let texts = parts.map { part in
                let spaced = String(part.map { $0 == "+" ? " " : $0 })
                // An undecodable value is passed on unchanged, and then refused by its reader.
                return PercentCoding.decoded(spaced) ?? spaced
            }
            lists[texts[0], default: []].append(texts.count == 2 ? texts[1] : "")
        }
        self.lists = lists
        values = lists.compactMapValues(\.last)
    }

    /// All values of a parameter that a query may repeat, in order.
    public func all(_ name: String) -> [String] { lists[name] ?? [] }

    /// The value of a parameter, or nil when the query does not name it.
    public subscript(name: String) -> String? {
        values[name]
    }
}
