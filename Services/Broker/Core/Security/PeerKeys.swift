import Contracts
import ProcessKit
import ZeroMQ

/// The allow-list: the public keys in the folders of the roles, one in each `NAME.pub`.
///
/// The files are read each time a peer connects: a known key is checked in its own file, and an unknown key causes a
/// read of the whole folder, at most once a second, which bounds the reads that unauthenticated peers can cause.
struct PeerKeys: Sendable {
    private struct Entry {
        let file: KeyFile
        let principal: Principal
    }

    private let folder: KeyFolder
    private var entries: [CurvePublicKey: Entry] = [:]
    private var admitted: Set<Principal> = []
    private var readAt: ContinuousClock.Instant?
    /// Problems of files that appeared while the broker runs; each is logged once.
    private var loggedProblems: Set<String> = []

    init(_ folder: KeyFolder) {
        self.folder = folder
    }

    var count: Int { entries.count }

    /// Reads the folder; throws at the first file that holds no valid key.
    mutating func load() throws {
        entries = try read { throw $0 }
    }

    /// The principal of a key that is listed now; it is watched from now on.
    ///
    /// - Parameter onInvalidFile: called with the error of each file that is ignored because it holds no valid key.
    mutating func admit(
        _ key: CurvePublicKey, at now: ContinuousClock.Instant, onInvalidFile: (StartupError) -> Void
    ) -> Principal? {
        guard let principal = principal(of: key, at: now, onInvalidFile: onInvalidFile) else { return nil }
        admitted.insert(principal)
        return principal
    }

    /// The admitted keys that are no longer listed, or that have another role now; each is returned once.
    mutating func takeRemoved(
        at now: ContinuousClock.Instant, onInvalidFile: (StartupError) -> Void
    ) -> [CurvePublicKey] {
        let removed = admitted.filter { principal(of: $0.key, at: now, onInvalidFile: onInvalidFile) != $0 }
        admitted.subtract(removed)
        return removed.map(\.key)
    }

    private mutating func principal(
        of key: CurvePublicKey, at now: ContinuousClock.Instant, onInvalidFile: (StartupError) -> Void
    ) -> Principal? {
        // A file that cannot be read lists no key; reading the folder again reports its problem.
        if let entry = entries[key], (try? entry.file.text()) == key.description { return entry.principal }
        if let readAt, now < readAt + BrokerTiming.keyFolderInterval { return nil }
        readAt = now
        var current: Set<String> = []
        entries = read {
            if !loggedProblems.contains($0.description) { onInvalidFile($0) }
            current.insert($0.description)
        }
        loggedProblems = current
        return entries[key]?.principal
    }

    private func read(_ refuse: (StartupError) throws -> Void) rethrows -> [CurvePublicKey: Entry] {
        var entries: [CurvePublicKey: Entry] = [:]
        for listing in try folder.listings(refuse) {
            do throws(StartupError) {
                guard let key = CurvePublicKey(try listing.file.text()) else { throw listing.file.invalidKeyError }
                // Of a key in two folders the least role counts.
                if entries[key] == nil {
                    let principal = Principal(key, listing.role, service: listing.service)
                    entries[key] = Entry(file: listing.file, principal: principal)
                }
            } catch {
                try refuse(error)
            }
        }
        return entries
    }
}
