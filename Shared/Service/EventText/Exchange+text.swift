public import EventLog
internal import Localization
internal import ProcessKit
internal import TerminalText

extension Exchange {
    /// "17:09:10.123   104.0 ms  ok  gateway/4711 → detail-fetcher/2  movie.detail?code=20199882"; a line that is wider
    /// than the terminal continues below, indented.
    public func line(_ format: EventFormat) -> String {
        let style = format.style
        let pieces =
            [TextPiece(format.text(at: beganAt), style: style.dim)] + measurementPieces(style)
            + [
                TextPiece("\(requester ?? "-") → \(responder)".printable, style: style.cyan),
                TextPiece(title.printable),
            ]
            + attributes(format.language).map { TextPiece($0.printable, style: style.dim) }
        return pieces.joined(columns: format.columns)
    }

    /// The duration and the ending.
    func measurementPieces(_ style: TextStyle) -> [TextPiece] {
        let took = tookMicroseconds.map { "\($0.tenthsOfMilliseconds) ms" } ?? "-"
        return [
            TextPiece(String(repeating: " ", count: max(0, 10 - took.count)) + took),
            TextPiece(
                TextWidth.narrow.padded(ending.printable, to: 6),
                style: hasFailed ? style.red : ending == "ok" ? style.green : style.yellow),
        ]
    }

    /// The instance that answered, else the requested service.
    var responder: String { instance ?? service ?? "-" }

    /// In one word: the status of the answer, the code of the broker, or another outcome.
    public var ending: String {
        switch outcome {
        case .answered(let status): status == "failed" ? code ?? "failed" : status ?? "answered"
        case .refused(let refusal): refusal
        case .cancelled: "cancelled"
        case .open: "open"
        }
    }

    func attributes(_ language: Language) -> [String] {
        var attributes: [String] = []
        if let cache { attributes.append(cache) }
        if let lookup {
            attributes.append(language("적중 \(lookup.hits)/\(lookup.keys)", "hits \(lookup.hits) of \(lookup.keys)"))
        }
        if let upstreamMicroseconds {
            attributes.append(language("업스트림", "upstream") + " \(upstreamMicroseconds.tenthsOfMilliseconds) ms")
        }
        if let queuedMicroseconds, queuedMicroseconds >= 1000 {
            attributes.append(language("대기", "queued") + " \(queuedMicroseconds.tenthsOfMilliseconds) ms")
        }
        if attempts > 1 { attributes.append(language("\(attempts)번 배정", "dispatched \(attempts) times")) }
        if case .answered("stale") = outcome, let code {
            attributes.append(language("오래된 자료: \(code)", "stale: \(code)"))
        }
        return attributes
    }
}
