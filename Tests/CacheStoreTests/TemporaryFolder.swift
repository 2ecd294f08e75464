import Foundation
import Testing

/// Lends a folder of its own and removes it afterwards, whatever the body does.
func withTemporaryFolder<Result>(_ body: (String) async throws -> Result) async throws -> Result {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("cache-store-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer {
        do {
            try FileManager.default.removeItem(atPath: folder)
        } catch {
            Issue.record(error, "the folder \(folder) stays behind")
        }
    }
    return try await body(folder)
}

/// The names in a folder, sorted.
func names(in folder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
}
