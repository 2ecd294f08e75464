internal import ProcessKit
package import Recordings

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// Records readable answers, byte for byte, as files that `demo-upstream --recordings` serves.
///
/// Refusals and malformed bodies are not recorded; bodies that contain the key count as malformed.
public struct UpstreamRecorder: Sendable {
    private let folder: String
    private let onFailure: @Sendable (String) -> Void

    /// - Parameters:
    ///   - folder: created when it is missing.
    ///   - onFailure: called with a sentence for each answer that was not recorded; the answer itself is not affected.
    /// - Throws: `UpstreamError` with code `configuration` when the folder cannot be created or written.
    public init(folder: String, onFailure: @escaping @Sendable (String) -> Void) throws {
        self.folder = folder
        self.onFailure = onFailure
        do {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        } catch {
            throw UpstreamError(.configuration, "The folder for recordings, \(folder), cannot be made.")
        }
        guard FileManager.default.isWritableFile(atPath: folder) else {
            throw UpstreamError(.configuration, "The folder for recordings, \(folder), cannot be written to.")
        }
    }

    package func keep(_ body: [UInt8], as name: RecordingName) async {
        guard let fileName = name.fileName else {
            return onFailure("an answer was not recorded: its file's name would be too long")
        }
        let path = "\(folder)/\(fileName)"
        do {
            // A disk may block.
            let isKept = try await runBlocking {
                guard Self.isFileOrAbsent(path) else { return false }
                // Written to a temporary file and renamed, so that no reader sees a partial body.
                try Data(body).write(to: URL(fileURLWithPath: path), options: .atomic)
                return true
            }
            if !isKept { onFailure("\(fileName) was not recorded: something other than a file is there") }
        } catch {
            onFailure("\(fileName) was not recorded: \(error)")
        }
    }

    /// A pipe, a device or a folder is not replaced.
    private static func isFileOrAbsent(_ path: String) -> Bool {
        guard let type = try? FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType else {
            return !FileManager.default.fileExists(atPath: path)
        }
        return type == .typeRegular
    }
}
