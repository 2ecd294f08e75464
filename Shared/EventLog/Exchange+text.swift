internal import ProcessKit
public import TerminalText

extension Exchange {
    /// "2026-11-21T08:09:10.123456Z   104.0 ms  ok  gateway/4711 → detail-fetcher/2  movie.detail?code=20199882"
    public func pieces(_ style: TextStyle) -> [TextPiece] {
        [TextPiece(RFC3339.text(microseconds: beganAt), style: style.dim)] + measurementPieces(style)
            + [
                TextPiece("\(requester ?? "-") → \(responder)".printable, style: style.cyan),
                TextPiece(title.printable),
            ]
            + attributes.map { TextPiece($0.printable, style: style.dim) }
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

    var attributes: [String] {
        var attributes: [String] = []
        if let cache { attributes.append(cache) }
        if let lookup { attributes.append("hits \(lookup.hits) of \(lookup.keys)") }
        if let upstreamMicroseconds { attributes.append("upstream \(upstreamMicroseconds.tenthsOfMilliseconds) ms") }
        if let queuedMicroseconds, queuedMicroseconds >= 1000 {
            attributes.append("queued \(queuedMicroseconds.tenthsOfMilliseconds) ms")
        }
        if attempts > 1 { attributes.append("dispatched \(attempts) times") }
        if case .answered("stale") = outcome, let code { attributes.append("stale: \(code)") }
        return attributes
    }
}

extension Int {
    /// Microseconds as milliseconds with one decimal: "104.0".
    public var tenthsOfMilliseconds: String {
        let tenths = self / 100 + (self % 100 >= 50 ? 1 : 0)
        return "\((tenths / 10).withSeparators).\(tenths % 10)"
    }
}
