/// All settings with their defaults, as `boxoffice.conf` lists them.
public enum KnownSettings {
    /// An empty default depends on the system, or is off.
    public static let defaults: [(name: String, value: String)] =
        String(decoding: PackageResources.boxoffice_conf, as: UTF8.self).split(separator: "\n").compactMap { line in
            line.wholeMatch(of: /#([A-Z][A-Z0-9_]*)=(.*)/).map { (String($0.1), String($0.2)) }
        }

    /// The keys of the upstreams, which no file of settings may contain.
    public static let keys = ["KOBIS_API_KEY", "KAKAO_REST_API_KEY"]

    /// Of the environment only: the file itself, and what the launcher tells a process that it starts.
    private static let ofProcesses = ["BOXOFFICE_CONFIG", "BOXOFFICE_INSTANCE", "BOXOFFICE_SUPERVISED"]

    public static func isInFile(_ name: String) -> Bool { defaults.contains { $0.name == name } }

    /// The setting that an unknown name probably means.
    public static func nearest(to name: String) -> String? {
        Suggestion.closest(to: name, among: defaults.map(\.name) + keys)
    }

    /// The variables that begin like a setting, and that no program reads.
    public static func unknown(in environment: Environment) -> [String] {
        // Other programs read further variables of OpenTelemetry.
        let own = defaults.map(\.name).filter { !$0.hasPrefix("OTEL_") }
        let prefixes = Set(own.map { "\($0.prefix { $0 != "_" })_" })
        return environment.names.filter { name in
            // The project's own tests have variables of this prefix.
            prefixes.contains { name.hasPrefix($0) } && !name.hasPrefix("BOXOFFICE_TEST_") && !isInFile(name)
                && !(keys + ofProcesses).contains(name)
        }.sorted()
    }

    /// Whether its value is an address, which is shown without user, password and query.
    public static func isAddress(_ name: String) -> Bool {
        ["_BROKER", "_URL", "_ENDPOINT", "_HOST", "_HOSTS", "_PROXY"].contains(where: name.hasSuffix)
    }
}
