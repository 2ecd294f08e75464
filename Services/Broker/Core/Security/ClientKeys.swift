import ProcessKit
import ZeroMQ

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The allow-list: the public keys in a folder, one in each `NAME.pub`.
///
/// The files decide, each time a peer connects: a key that was let in before is looked up in its own file, and an unknown
/// one sends for the whole folder, at most once a second, so that strangers cannot keep the broker reading.
struct ClientKeys: Sendable {
    private let folder: String
    private var files: [CurvePublicKey: KeyFile] = [:]
    private var admitted: Set<CurvePublicKey> = []
    private var readAt: ContinuousClock.Instant?
    /// What is wrong with files that appeared while the broker runs; each is said once.
    private var complaints: Set<String> = []

    init(folder: String) {
        self.folder = folder
    }

    var count: Int { files.count }

    /// Reads the folder, and refuses the first file that is no proper key.
    mutating func load() throws {
        files = try read { throw $0 }
    }

    /// Whether the key is listed now; if so, it is watched from now on.
    ///
    /// - Parameter complain: called with a file that is passed over because it is no proper key.
    mutating func admits(
        _ key: CurvePublicKey, at now: ContinuousClock.Instant, complain: (StartupError) -> Void
    ) -> Bool {
        guard contains(key, at: now, complain: complain) else { return false }
        admitted.insert(key)
        return true
    }

    /// The keys that were admitted and are no longer listed; each once.
    mutating func takeRemoved(
        at now: ContinuousClock.Instant, complain: (StartupError) -> Void
    ) -> [CurvePublicKey] {
        let removed = admitted.filter { !contains($0, at: now, complain: complain) }
        admitted.subtract(removed)
        return Array(removed)
    }

    private mutating func contains(
        _ key: CurvePublicKey, at now: ContinuousClock.Instant, complain: (StartupError) -> Void
    ) -> Bool {
        // A file that cannot be read any more lists nobody; reading the folder anew says what is wrong with it.
        if let file = files[key], (try? file.text()) == key.description { return true }
        if let readAt, now < readAt + BrokerTiming.keyFolderInterval { return false }
        readAt = now
        var current: Set<String> = []
        files = read {
            if !complaints.contains($0.description) { complain($0) }
            current.insert($0.description)
        }
        complaints = current
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
                guard let key = CurvePublicKey(try file.text()) else { throw file.isNoKey }
                files[key] = file
            } catch {
                try refuse(error)
            }
        }
        return files
    }
}
