import BrokerMachine
import Majordomo
import MessageBus

/// The events of a schedule, one JSON object per line; virtual time begins at 1970.
final class EventLog {
    enum AttributeValue: ExpressibleByStringLiteral, ExpressibleByStringInterpolation {
        case text(String)
        case number(Int)
        case flag(Bool)

        init(stringLiteral value: String) { self = .text(value) }

        var json: String {
            switch self {
            case .text(let text): quoted(text)
            case .number(let number): String(number)
            case .flag(let flag): String(flag)
            }
        }
    }

    private(set) var lines: [String] = []

    func record(_ event: LedgerEvent, at time: Duration) {
        record("broker.ledger", by: "broker/1", at: time, nil, ["event": .text("\(event)")])
    }

    func record(
        _ kind: String, by source: String, at time: Duration, _ id: RequestID? = nil,
        _ attributes: [String: AttributeValue] = [:]
    ) {
        let fields = attributes.sorted { $0.key < $1.key }.map { "\(quoted($0.key)):\($0.value.json)" }.joined(
            separator: ",")
        let request = id.map { #","query":"\#($0.queryText)","request":"\#($0.description)""# } ?? ""
        let object = #"{"at":\#(time.wholeMicroseconds),"attributes":{\#(fields)},"kind":"\#(kind)"\#(request)"#
        append(object + #","source":\#(quoted(source))}"#, at: time)
    }

    /// Appends an event's object, with its time as text instead of a number, and its position in the stream.
    private func append(_ object: String, at time: Duration) {
        let number = #"{"at":\#(time.wholeMicroseconds),"#
        let rest = object.hasPrefix(number) ? object.dropFirst(number.count) : object.dropFirst()
        lines.append(#"{"time":"\#(Self.text(time))","sequence":\#(lines.count + 1),"# + rest)
    }

    /// RFC 3339 with microseconds; no schedule lasts an hour.
    private static func text(_ time: Duration) -> String {
        let (seconds, rest) = time.wholeMicroseconds.quotientAndRemainder(dividingBy: 1_000_000)
        return "1970-01-01T00:\(padded(seconds / 60, to: 2)):\(padded(seconds % 60, to: 2)).\(padded(rest, to: 6))Z"
    }

    private static func padded(_ number: Int64, to width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}

/// JSON text; a simulation has printable ASCII only.
private func quoted(_ text: String) -> String {
    "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
}

extension Duration {
    var wholeMicroseconds: Int64 { Int64(self / .microseconds(1)) }
    var wholeMilliseconds: Int64 { Int64(self / .milliseconds(1)) }
}
