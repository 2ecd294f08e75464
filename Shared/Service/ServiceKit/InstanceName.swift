public import ProcessKit

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Darwin
#endif

/// The name of a process on the bus, for example "detail-fetcher/HOST-4711".
public enum InstanceName {
    /// A name that no other process of the bus has.
    public static func unique(_ service: String) -> String {
        "\(service)/\(host(readHostName()))-\(process(getpid(), namespace: readNamespace()))"
    }

    /// The host's part of the names.
    public static var host: String { host(readHostName()) }

    /// The name of an instance for "SERVICE/self": that of the first process of this container, which runs the service;
    /// any other name as it is.
    ///
    /// - Parameter environment: of a program in that container, which has the service's own `BOXOFFICE_INSTANCE`.
    public static func resolve(_ name: String, in environment: Environment) -> String {
        guard name.hasSuffix("/self") else { return name }
        let service = String(name.dropLast("/self".utf8.count))
        return environment["BOXOFFICE_INSTANCE"]
            ?? "\(service)/\(host(readHostName()))-\(process(1, namespace: readNamespace()))"
    }

    /// The id of a process on its host. In every container the first process has the id 1, and containers may share the
    /// name of their host; so the number of the container's namespace comes before the id.
    ///
    /// - Parameter namespace: what the kernel calls the process's namespace of ids, such as "pid:[4026532201]"; empty
    ///   when it does not say.
    static func process(_ id: Int32, namespace: String) -> String {
        let number = namespace.split(whereSeparator: { !$0.isASCII || !$0.isNumber }).first.flatMap { UInt32($0) }
        // Of the namespace that a machine starts with (PROC_PID_INIT_INO).
        guard let number, number != 0xEFFF_FFFC else { return "\(id)" }
        return "\(number)-\(id)"
    }

    private static func readNamespace() -> String {
        #if os(Linux)
            var name = [CChar](repeating: 0, count: 64)
            let count = readlink("/proc/self/ns/pid", &name, name.count)
            return String(decoding: name.prefix(max(count, 0)).map(UInt8.init(bitPattern:)), as: UTF8.self)
        #else
            return ""
        #endif
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
