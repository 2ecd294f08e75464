/// The subjects of our messages on NATS.
///
/// A request's subject contains its kind, and the name of an instance is two tokens, SERVICE and the rest, so that a
/// server's permissions can distinguish kinds and services.
enum Subjects {
    private static let requests = "boxoffice.request."
    private static let instances = "boxoffice.instance."

    /// The subject of all events, and the name of the stream that keeps them.
    static let events = "boxoffice.event.>"
    static let eventStream = "EVENTS"

    /// The name of the stream of the records by which instances hold their names, and the subjects of these records.
    static let claimStream = "KV_boxoffice-claims"
    static let claims = "$KV.boxoffice-claims.>"

    static func claim(ofInstance instance: String) -> String {
        "$KV.boxoffice-claims.instance.\(name(instance))"
    }

    static func claim(ofService service: String) -> String {
        "$KV.boxoffice-claims.service.\(token(service))"
    }

    /// To any instance of the service.
    static func request(_ kind: String, of service: String) -> String {
        "\(requests)\(token(service)).\(tokens(kind))"
    }

    /// To one instance over its present connection: after a loss, servers go on for a while to send what is for the lost
    /// connection into the void.
    static func request(_ kind: String, at instance: String, over connection: String) -> String {
        "\(instances)\(name(instance)).\(token(connection)).\(tokens(kind))"
    }

    static func allRequests(of service: String) -> String { "\(requests)\(token(service)).>" }

    static func allRequests(at instance: String, over connection: String) -> String {
        "\(instances)\(name(instance)).\(token(connection)).>"
    }

    /// The kind in the subject of a request; nil for another subject.
    static func kind(of subject: String) -> String? {
        let namesInstance = subject.hasPrefix(instances)
        guard namesInstance || subject.hasPrefix(requests) else { return nil }
        let place = namesInstance ? 5 : 3
        let parts = subject.split(separator: ".", maxSplits: place, omittingEmptySubsequences: false)
        return parts.count == place + 1 ? String(parts[place]) : nil
    }

    static func event(from source: String) -> String { "boxoffice.event.\(name(source))" }

    /// The name of a process as two tokens: "chart-fetcher/box-1" is "chart-fetcher.box-1".
    static func name(_ process: String) -> String {
        // By bytes: a slash with an accent is another character.
        let parts = process.utf8.split(separator: UInt8(ascii: "/"), maxSplits: 1, omittingEmptySubsequences: false)
            .map { String(decoding: Array($0), as: UTF8.self) }
        // A token cannot be empty, and no other name becomes "=".
        return parts.map { $0.isEmpty ? "=" : token($0) }.joined(separator: ".") + (parts.count == 1 ? ".=" : "")
    }

    /// A name as one token of a subject: letters, digits, "-", "_" and "/" stay, each other byte becomes "=" and two
    /// hexadecimal digits.
    static func token(_ name: String) -> String {
        if name.utf8.allSatisfy(isPlain) { return name }
        var token = ""
        for byte in name.utf8 {
            if isPlain(byte) {
                token.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                token += "=" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }
        return token
    }

    /// A kind, whose parts are separated by dots.
    private static func tokens(_ kind: String) -> String {
        let dot = UInt8(ascii: ".")
        // The end of the subject before it counts as a dot.
        var previous = dot
        let isWellFormed = kind.utf8.allSatisfy { byte in
            defer { previous = byte }
            return isPlain(byte) || (byte == dot && previous != dot)
        }
        if isWellFormed, previous != dot { return kind }
        return kind.split(separator: ".", omittingEmptySubsequences: false).map { token(String($0)) }
            .map { $0.isEmpty ? "=" : $0 }.joined(separator: ".")
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "/"):
            true
        default: false
        }
    }
}
