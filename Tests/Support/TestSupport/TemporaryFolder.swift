import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Runs the body with a new folder that holds the given files, and removes the folder afterwards.
public func withTemporaryFolder<Result>(
    _ files: [String: String] = [:], _ body: (String) async throws -> Result
) async throws -> Result {
    let folder = try makeTemporaryFolder(files)
    defer { removeTemporaryFolder(folder) }
    return try await body(folder)
}

/// The same for a synchronous body.
public func withTemporaryFolder<Result>(_ files: [String: String] = [:], _ body: (String) throws -> Result) throws
    -> Result
{
    let folder = try makeTemporaryFolder(files)
    defer { removeTemporaryFolder(folder) }
    return try body(folder)
}

private func makeTemporaryFolder(_ files: [String: String]) throws -> String {
    // Short: a socket's path has at most 103 bytes.
    let folder = "/tmp/bo-\(UUID().uuidString.prefix(8))"
    try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    for (name, text) in files { try Data(text.utf8).write(to: URL(fileURLWithPath: "\(folder)/\(name)")) }
    return folder
}

private func removeTemporaryFolder(_ folder: String) {
    do {
        try FileManager.default.removeItem(atPath: folder)
    } catch {
        Issue.record(error, "the folder \(folder) stays behind")
    }
}
