internal import Localization

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// A file with a server's address for a launcher: one line, written atomically.
public struct URLFile: Sendable {
    public let path: String

    public init(path: String) {
        self.path = path
    }

    /// Writes a temporary file and renames it, so that a waiting reader never reads a partial address.
    ///
    /// - Throws: `StartupError` with the reason.
    public func write(_ url: String) throws {
        do {
            try Data("\(url)\n".utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
        } catch {
            let reason = error.systemReason ?? "\(error)"
            throw StartupError(
                LocalizedText(
                    ko: "\(path.printable)에 주소를 쓸 수 없습니다: \(reason). 쓸 수 있는 폴더의 경로를 고르세요.",
                    en:
                        "The address cannot be written to \(path.printable): \(reason). Choose a path in a folder that exists and is writable."
                ),
                exitStatus: ExitStatus.inputOutput)
        }
    }
}
