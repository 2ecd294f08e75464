#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Darwin
#endif

/// A file with an API key that is readable by its group or by all users.
public struct OpenSecretFile: Sendable, Equatable, CustomStringConvertible {
    /// The variable that names it.
    public let name: String
    public let path: String
    /// Its permissions in octal.
    public let mode: String

    public var description: String {
        "Others can read \(path), which \(name) names (mode \(mode)). Close it: chmod 600 '\(path)'"
    }
}

extension Environment {
    /// The key files that other users can read; missing files are ignored.
    public var secretFilesOpenToOthers: [OpenSecretFile] {
        names.filter { $0.hasSuffix("_API_KEY_FILE") }.sorted().compactMap { name in
            guard let path = self[name] else { return nil }
            var status = stat()
            guard stat(path, &status) == 0, status.st_mode & 0o044 != 0 else { return nil }
            return OpenSecretFile(name: name, path: path, mode: String(status.st_mode & 0o777, radix: 8))
        }
    }
}
