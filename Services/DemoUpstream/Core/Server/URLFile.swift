#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A file with the server's address for a launcher: one line, written atomically.
public struct URLFile: Sendable {
    public let path: String

    public init(path: String) {
        self.path = path
    }

    /// Writes a temporary file and renames it, so that a waiting reader never reads a partial address.
    ///
    /// - Throws: ``DemoUpstreamError/cannotWriteURLFile(path:reason:)``
    public func write(_ url: String) throws {
        do {
            try Data("\(url)\n".utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
        } catch {
            throw DemoUpstreamError.cannotWriteURLFile(path: path, reason: FileFailure.text(of: error))
        }
    }
}
