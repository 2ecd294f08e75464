#if canImport(Glibc)
    private import Glibc
#elseif canImport(Musl)
    private import Musl
#else
    private import Darwin
#endif

/// Where this program is installed; it decides by which names messages call the programs and the file of settings.
///
/// An installation has one command, `boxoffice`; in a clone each program has its own name.
public struct Installation: Sendable {
    static let current = Installation(program: programPath()) { access($0, X_OK) == 0 }

    /// The name of the command that asks for charts.
    public static var gateway: String { current.home == nil ? "gateway" : "boxoffice" }

    /// How a user calls a program that `boxoffice` runs, e.g. "tap" or "boxoffice tap".
    public static func program(_ name: String) -> String { current.home == nil ? name : "boxoffice \(name)" }

    /// How a user calls the launcher, e.g. "compose/stack ps" or "boxoffice stack ps".
    public static func stack(_ arguments: String) -> String { current.stack(arguments) }

    /// The file that explains all settings.
    public static var settingsFile: String { "\(current.home.map { "\($0)/" } ?? "")compose/boxoffice.conf" }

    /// The executables that `boxoffice` runs by their names; none in a clone.
    public static var programs: [String: String] { current.programs }

    /// `PREFIX/lib/boxoffice` of an installed program, as `compose/install` lays it out.
    let home: String?
    let programs: [String: String]

    /// - Parameters:
    ///   - program: the path of the executable of this process.
    ///   - isExecutable: whether a path is an executable file.
    init(program: String, isExecutable: (String) -> Bool) {
        let parts = program.split(separator: "/", omittingEmptySubsequences: false)
        let isInstalled = parts.count > 4 && parts.suffix(4).prefix(3) == ["lib", "boxoffice", "bin"]
        guard isInstalled else {
            (home, programs) = (nil, [:])
            return
        }
        let home = parts.dropLast(2).joined(separator: "/")
        let paths = ["stack": "\(home)/compose/stack"].merging(
            ["tap", "broker", "web"].map { ($0, "\(home)/bin/\($0)") }
        ) { $1 }
        self.home = home
        programs = paths.filter { isExecutable($0.value) }
    }

    /// An image of a container has no launcher: there the containers are the processes.
    func stack(_ arguments: String) -> String {
        if home == nil { return "compose/stack \(arguments)" }
        if programs["stack"] != nil { return "boxoffice stack \(arguments)" }
        let words = arguments.split(separator: " ", maxSplits: 1).map(String.init)
        let rest = words.dropFirst().first ?? ""
        return switch words[0] {
        case "up" where rest == "--demo":
            "podman-compose -f compose.yaml -f compose.demo.yaml up -d"
        case "up": "podman-compose up -d"
        case "scale": "podman-compose up -d --scale \(rest)"
        case "doctor": "podman-compose logs"
        case "restart" where rest == "all": "podman-compose restart"
        default: "podman-compose \(arguments)"
        }
    }

    private static func programPath() -> String {
        #if os(Linux)
            var path = [CChar](repeating: 0, count: Int(PATH_MAX))
            let count = readlink("/proc/self/exe", &path, path.count)
            return String(decoding: path.prefix(max(count, 0)).map(UInt8.init(bitPattern:)), as: UTF8.self)
        #else
            CommandLine.arguments.first ?? ""
        #endif
    }
}
