import Foundation
import Testing

extension TestStack {
    /// Searches for the API keys in the output, in all events and logs, and in every file of the run folder except the
    /// two that hold them: logs, the supervisor's configuration, databases, recordings.
    func expectNoKey(in results: [CommandResult], sourceLocation: SourceLocation = #_sourceLocation) async throws {
        let keyFiles = ["stack.kobis-key", "stack.kakao-key"]
        let demoKeys = try keyFiles.map {
            try String(contentsOfFile: "\(runFolder)/\($0)", encoding: .utf8)
                .trimmingCharacters(in: .whitespacesAndNewlines)
        }
        try #require(demoKeys.allSatisfy { $0.count == 32 })
        let keys = demoKeys + TestStack.usersKeys.values
        let reported = [
            try await tap("--last", "10000", "--no-follow", "--json"), try await launcher(["logs", "--lines", "1000"]),
        ]
        for result in results + reported {
            #expect(
                !keys.contains { (result.output + result.errors).contains($0) }, "\(result)",
                sourceLocation: sourceLocation)
        }
        for file in FileManager.default.enumerator(atPath: runFolder)?.compactMap({ $0 as? String }) ?? [] {
            if keyFiles.contains(file) { continue }
            guard let bytes = FileManager.default.contents(atPath: "\(runFolder)/\(file)") else { continue }
            #expect(
                !keys.contains { bytes.range(of: Data($0.utf8)) != nil }, "\(file)", sourceLocation: sourceLocation)
        }
    }
}
