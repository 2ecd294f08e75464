#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Darwin
#endif

/// The name of a process on the bus, for example "detail-fetcher/HOST-4711".
public enum InstanceName {
    /// A name that no other process of the bus has: in every container the first process has the id 1.
    public static func unique(_ service: String) -> String {
        "\(service)/\(host(readHostName()))-\(getpid())"
    }

    /// The first label of a host's name; other characters than letters, digits and hyphens become hyphens, and more
    /// than 32 are cut off.
    static func host(_ name: String) -> String {
        let label = name.utf8.prefix { $0 != UInt8(ascii: ".") }.prefix(32)
        let text = String(decoding: label.map { isPlain($0) ? $0 : UInt8(ascii: "-") }, as: UTF8.self)
        return text.isEmpty ? "host" : text
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
            true
        default: false
        }
    }

    private static func readHostName() -> String {
        var name = [CChar](repeating: 0, count: 256)
        // A name that does not fit may lack its end; the last byte stays zero.
        guard gethostname(&name, name.count - 1) == 0 else { return "" }
        return String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
