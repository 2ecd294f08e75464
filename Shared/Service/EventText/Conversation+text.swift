internal import Envelope
public import EventLog
internal import Localization
internal import ProcessKit
internal import TerminalText

extension Conversation {
    /// The query, then each call with its start time relative to the query, indented below the call that caused it.
    public func lines(_ format: EventFormat) -> [String] {
        let (style, columns) = (format.style, format.columns)
        let origin = span?.lowerBound ?? 0
        let calls = nodes.map { node in
            let exchange = node.exchange
            let after = "+\(Int(exchange.beganAt - origin).tenthsOfMilliseconds)"
            let title = String(repeating: "  ", count: min(node.depth, 20)) + exchange.title.printable
            return
                ([TextPiece(String(repeating: " ", count: max(0, 8 - after.count)) + after, style: style.dim)]
                + exchange.measurementPieces(style) + [TextPiece(title)]
                + [TextPiece(exchange.responder.printable, style: style.cyan)]
                + exchange.attributes(format.language).map { TextPiece($0.printable, style: style.dim) })
                .joined(columns: columns, indent: 32 + 2 * min(node.depth, 20))
        }
        return [head(format)] + calls + otherEvents.map { EventLine.text($0, format) }
    }

    private func head(_ format: EventFormat) -> String {
        let style = format.style
        let name = format.language("질의", "query")
        var pieces = [TextPiece("\(name) \(query)".printable, style: style.bold)]
        if let start {
            pieces.append(TextPiece(format.text(at: start.at), style: style.dim))
            pieces.append(TextPiece(start.source.printable, style: style.cyan))
            let attributes = start.attributes.filter { $0.key != "command" }.sorted { $0.key < $1.key }
            let words = [start.attributes["command"].map(\.description)] + attributes.map { "\($0.key)=\($0.value)" }
            pieces.append(TextPiece(words.compactMap(\.self).joined(separator: " ").printable))
        }
        if let took = tookMicroseconds {
            pieces.append(TextPiece("\(took.tenthsOfMilliseconds) ms"))
        } else {
            pieces.append(TextPiece(format.language("끝을 보지 못함", "no end of it seen"), style: style.yellow))
        }
        return pieces.joined(columns: format.columns)
    }
}
