/// The names of what a run folder contains, by `run-folder.conf`, which the launcher reads, too.
enum RunFolderNames {
    static let sockets = [named("requests"), named("events-in"), named("events")]
    static let lock = named("lock")
    static let log = named("log")
    static let bus = named("bus")
    static let busKey = named("bus-key")
    static let busCertificate = named("bus-certificate")
    /// The kernel's sockaddr_un has 108 bytes, and libzmq truncates a longer path instead of refusing it.
    static let longestSocketPath = Int(named("longest-socket-path")) ?? 0

    private static let names: [Substring: Substring] = {
        let lines = String(decoding: PackageResources.run_folder_conf, as: UTF8.self).split(separator: "\n")
        let pairs = lines.filter { !$0.hasPrefix("#") }.map { $0.split(separator: "=", maxSplits: 1) }
        return Dictionary(uniqueKeysWithValues: pairs.map { ($0[0], $0[1]) })
    }()

    private static func named(_ name: String) -> String { String(names[name[...]] ?? "") }
}
