import ProcessKit
import ZeroMQ

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The allow-list: the public keys in a folder, one in each `NAME.pub`.
///
/// The files are read each time a peer connects: a known key is checked in its own file, and an unknown key causes a
/// read of the whole folder, at most once a second, which bounds the reads that unauthenticated peers can cause.
struct ClientKeys: Sendable {
    private let folder: String
    private var files: [CurvePublicKey: KeyFile] = [:]
    private var admitted: Set<CurvePublicKey> = []
    private var readAt: ContinuousClock.Instant?
    /// Problems of files that appeared while the broker runs; each is logged once.
    private var loggedProblems: Set<String> = []

    init(folder: String) {
        self.folder = folder
    }

    var count: Int { files.count }

    /// Reads the folder; throws at the first file that holds no valid key.
    mutating func load() throws {
        files = try read { throw $0 }
    }

    /// Whether the key is listed now; if so, it is watched from now on.
    ///
    /// - Parameter onInvalidFile: called with the error of each file that is ignored because it holds no valid key.
    mutating func admits(
        _ key: CurvePublicKey, at now: ContinuousClock.Instant, onInvalidFile: (StartupError) -> Void
    ) -> Bool {
        guard contains(key, at: now, onInvalidFile: onInvalidFile) else { return false }
        admitted.insert(key)
        return true
    }

    /// The admitted keys that are no longer listed; each is returned once.
    mutating func takeRemoved(
        at now: ContinuousClock.Instant, onInvalidFile: (StartupError) -> Void
    ) -> [CurvePublicKey] {
        let removed = admitted.filter { !contains($0, at: now, onInvalidFile: onInvalidFile) }
        admitted.subtract(removed)
        return Array(removed)
    }

    private mutating func contains(
        _ key: CurvePublicKey, at now: ContinuousClock.Instant, onInvalidFile: (StartupError) -> Void
    ) -> Bool {
        // A file that cannot be read lists no key; reading the folder again reports its problem.
        if let file = files[key], (try? file.text()) == key.description { return true }
        if let readAt, now < readAt + BrokerTiming.keyFolderInterval { return false }
        readAt = now
        var current: Set<String> = []
        files = read {
            if !loggedProblems.contains($0.description) { onInvalidFile($0) }
            current.insert($0.description)
        }
        loggedProblems = current
        return files[key] != nil
    }

    private func read(_ refuse: (StartupError) throws -> Void) rethrows -> [CurvePublicKey: KeyFile] {
        var files: [CurvePublicKey: KeyFile] = [:]
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: folder)
        } catch {
            let reason = error.systemReason.map { ": \($0)" } ?? ""
            try refuse(
                StartupError("The key folder \(folder) cannot be read\(reason).", exitStatus: ExitStatus.configuration))
            return [:]
        }
        for name in names.sorted() where name.hasSuffix(".pub") {
            let file = KeyFile("\(folder)/\(name)", .public)
            do throws(StartupError) {
                guard let key = CurvePublicKey(try file.text()) else { throw file.invalidKeyError }
                files[key] = file
            } catch {
                try refuse(error)
            }
        }
        return files
    }
}
