#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A file that tells a launcher where the server listens: one line, there as a whole or not at all.
public struct URLFile: Sendable {
    public let path: String

    public init(path: String) {
        self.path = path
    }

    /// Writes beside the file and renames, so that whoever waits for the file never reads half of an address.
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
