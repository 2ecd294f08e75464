import Majordomo

/// What happened in a schedule, one JSON object a line, as `tap --json` prints it; virtual time begins at 1970.
final class EventLog {
    enum Fact: ExpressibleByStringLiteral, ExpressibleByStringInterpolation {
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

    func tell(_ event: LedgerEvent, at time: Duration) {
        append(String(decoding: event.json(at: time.wholeMicroseconds, source: "broker/1"), as: UTF8.self), at: time)
    }

    func tell(
        _ kind: String, by source: String, at time: Duration, _ id: RequestID? = nil, _ facts: [String: Fact] = [:]
    ) {
        let told = facts.sorted { $0.key < $1.key }.map { "\(quoted($0.key)):\($0.value.json)" }.joined(separator: ",")
        let request = id.map { #","query":"\#($0.queryText)","request":"\#($0.description)""# } ?? ""
        let object = #"{"at":\#(time.wholeMicroseconds),"facts":{\#(told)},"kind":"\#(kind)"\#(request)"#
        append(object + #","source":\#(quoted(source))}"#, at: time)
    }

    /// An event's object, with its time as text instead of a number, and its place in the stream.
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

/// JSON text; what is no printable ASCII does not occur in a simulation.
private func quoted(_ text: String) -> String {
    "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
}

extension Duration {
    var wholeMicroseconds: Int64 { Int64(self / .microseconds(1)) }
    var wholeMilliseconds: Int64 { Int64(self / .milliseconds(1)) }
}

extension LedgerEvent {
    /// Stands in for Majordomo's own until the merge.
    fileprivate func json(at microseconds: Int64, source: String) -> [UInt8] {
        let (kind, id, facts) = parts
        let told = facts.map { "\"\($0)\":\($1.json)" }.joined(separator: ",")
        let request = id.map { #","query":"\#($0.queryText)","request":"\#($0.description)""# } ?? ""
        let object = #"{"at":\#(microseconds),"facts":{\#(told)},"kind":"broker.\#(kind)"\#(request)"#
        return Array((object + #","source":"\#(source)"}"#).utf8)
    }

    private var parts: (kind: String, id: RequestID?, facts: KeyValuePairs<String, EventLog.Fact>) {
        switch self {
        case .workerJoined(let service, let instance, let capacity):
            (
                "worker_joined", nil,
                ["capacity": .number(capacity), "instance": .text(instance), "service": .text(service)]
            )
        case .workerLeft(let service, let instance, let reason):
            (
                "worker_left", nil,
                ["instance": .text(instance), "reason": .text(reason.rawValue), "service": .text(service)]
            )
        case .workerRefused(let service, let instance, let reason):
            (
                "worker_refused", nil,
                ["instance": .text(instance), "reason": .text(reason), "service": .text(service)]
            )
        case .queued(let id, let service): ("queued", id, ["service": .text(service)])
        case .handedOut(let id, let service, let instance, let attempt, let queued):
            (
                "handed_out", id,
                [
                    "attempt": .number(attempt), "instance": .text(instance),
                    "queuedMicroseconds": .number(Int(queued.wholeMicroseconds)), "service": .text(service),
                ]
            )
        case .handedOver(let id, let service, let instance):
            ("handed_over", id, ["from": .text(instance), "service": .text(service)])
        case .answered(let id, let service, let instance, let took):
            (
                "answered", id,
                [
                    "instance": .text(instance), "service": .text(service),
                    "tookMicroseconds": .number(Int(took.wholeMicroseconds)),
                ]
            )
        case .refused(let id, let service, let refusal):
            ("refused", id, ["code": .text(refusal.rawValue), "service": .text(service)])
        case .cancelled(let id, let service): ("cancelled", id, ["service": .text(service)])
        case .dropped(let reason): ("dropped", nil, ["reason": .text(reason.rawValue)])
        }
    }
}
