/// The subjects of our messages on NATS.
///
/// A request's subject contains its kind, so that a server's permissions can distinguish kinds.
public enum Subjects {
    private static let requests = "boxoffice.request."
    private static let instances = "boxoffice.instance."

    /// The subject of all events.
    public static let events = "boxoffice.event.>"

    /// To any instance of the service.
    public static func request(_ kind: String, of service: String) -> String {
        "\(requests)\(token(service)).\(tokens(kind))"
    }

    /// To one instance.
    public static func request(_ kind: String, at instance: String) -> String {
        "\(instances)\(token(instance)).\(tokens(kind))"
    }

    public static func allRequests(of service: String) -> String { "\(requests)\(token(service)).>" }

    public static func allRequests(at instance: String) -> String { "\(instances)\(token(instance)).>" }

    /// The kind in the subject of a request; nil for another subject.
    public static func kind(of subject: String) -> String? {
        guard subject.hasPrefix(requests) || subject.hasPrefix(instances) else { return nil }
        let parts = subject.split(separator: ".", maxSplits: 3, omittingEmptySubsequences: false)
        return parts.count == 4 ? String(parts[3]) : nil
    }

    public static func event(from source: String) -> String { "boxoffice.event.\(token(source))" }

    /// A name as one token of a subject: letters, digits, "-", "_" and "/" stay, each other byte becomes "=" and two
    /// hexadecimal digits.
    public static func token(_ name: String) -> String {
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
