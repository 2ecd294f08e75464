#if canImport(Glibc)
    private import Glibc
#endif

/// Where this program is installed; it decides by which names messages call the launcher and its file of settings.
public enum Installation {
    /// How a user calls the launcher: `stack` beside an installed program, `compose/stack` in a clone.
    public static let stack = home == nil ? "compose/stack" : "stack"

    /// The file that explains all settings.
    public static let settingsFile = "\(home.map { "\($0)/" } ?? "")compose/boxoffice.conf"

    /// `PREFIX/lib/boxoffice` of an installed program, as `compose/install` lays it out.
    private static let home = installedHome(ofProgram: programPath())

    static func installedHome(ofProgram path: String) -> String? {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count > 4, parts.suffix(4).prefix(3) == ["lib", "boxoffice", "bin"] else { return nil }
        return parts.dropLast(2).joined(separator: "/")
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
