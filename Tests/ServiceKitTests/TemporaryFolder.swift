import Foundation
import Testing

/// Lends a folder of its own and removes it afterwards, whatever the body does.
func withTemporaryFolder<Result>(_ body: (String) throws -> Result) throws -> Result {
    // Short: socket paths have 103 bytes at most.
    let folder = "/tmp/bo-\(UUID().uuidString.prefix(8))"
    try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    defer {
        do {
            try FileManager.default.removeItem(atPath: folder)
        } catch {
            Issue.record(error, "the folder \(folder) stays behind")
        }
    }
    return try body(folder)
}
