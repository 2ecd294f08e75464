public import Envelope
internal import Localization
internal import ProcessKit

extension Conversation {
    /// The one query whose id begins with these digits.
    ///
    /// - Parameter events: the events of all queries, in the order of the stream.
    /// - Throws: `Failure` `unknown_query` when there is none or more than one.
    public static func only(startingWith prefix: String, in events: [Event]) throws -> Conversation {
        let queries = Set(events.compactMap(\.query).filter { $0.hasPrefix(prefix) }).sorted()
        guard let query = queries.first else { throw Failure.noQuery(prefix) }
        guard queries.count == 1 else { throw Failure.manyQueries(prefix, queries) }
        return Conversation(query: query, events: events)
    }

    /// Whether a text can be the beginning of a query's id: 4 to 16 hexadecimal digits in lower case.
    public static func isPrefix(_ text: String) -> Bool {
        text.wholeMatch(of: /[0-9a-f]{4,16}/) != nil
    }
}

extension Failure {
    /// - Parameter prefix: the requested prefix of the query id; nil for any query.
    public static func noQuery(_ prefix: String?) -> Failure {
        let (ko, en) =
            prefix.map { ("\($0.with(.direction)) 시작하는 질의의", "of a query \($0)…") } ?? (
                "끝난 질의의", "of any query that was answered"
            )
        return Failure(
            .unknownQuery,
            LocalizedText(
                ko:
                    "\(ko) 이벤트가 없습니다. 브로커는 최근 이벤트만 보관합니다. 질의 ID 확인: \(Installation.program("tap")) --last 20 --kind 'query.*'",
                en:
                    "There are no events \(en): the broker keeps only the latest. To see the ids: \(Installation.program("tap")) --last 20 --kind 'query.*'"
            ),
            isRetryable: false)
    }

    static func manyQueries(_ prefix: String, _ queries: [String]) -> Failure {
        let some = queries.prefix(5).joined(separator: ", ").printable
        return Failure(
            .unknownQuery,
            LocalizedText(
                ko: "\(prefix.with(.direction)) 시작하는 질의가 \(queries.count)개 있습니다: \(some). 더 길게 적으세요.",
                en: "\(queries.count) queries begin with \(prefix): \(some). Give more digits."),
            isRetryable: false)
    }
}
