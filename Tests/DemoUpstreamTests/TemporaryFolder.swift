import Foundation

/// A folder of its own for a test, filled with the given files and removed afterwards.
func withTemporaryFolder<Result>(
    _ files: [String: String] = [:], _ body: (String) async throws -> Result
) async throws -> Result {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("demo-upstream-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for (name, text) in files { try Data(text.utf8).write(to: folder.appendingPathComponent(name)) }
    let result: Swift.Result<Result, any Error>
    do {
        result = .success(try await body(folder.path))
    } catch {
        result = .failure(error)
    }
    try FileManager.default.removeItem(at: folder)
    return try result.get()
}
