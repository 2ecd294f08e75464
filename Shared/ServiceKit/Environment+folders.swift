extension Environment {
    /// Where cached data lies: `$BOXOFFICE_CACHE_DIR`, else `$XDG_CACHE_HOME/boxoffice`, else `~/.cache/boxoffice`.
    public func cacheFolder() throws -> String {
        if let folder = self["BOXOFFICE_CACHE_DIR"] { return folder }
        if let cache = self["XDG_CACHE_HOME"] { return "\(cache)/boxoffice" }
        guard let home = self["HOME"] else {
            throw StartupError(
                "There is no folder for the cache: set BOXOFFICE_CACHE_DIR (HOME is not set either).",
                exitStatus: ExitStatus.configuration)
        }
        return "\(home)/.cache/boxoffice"
    }

    /// Where the broker's keys lie: `$BOXOFFICE_KEYS`, else `$XDG_CONFIG_HOME/boxoffice/keys`, else
    /// `~/.config/boxoffice/keys`.
    public func keyFolder() throws -> String {
        if let folder = self["BOXOFFICE_KEYS"] { return folder }
        if let configuration = self["XDG_CONFIG_HOME"] { return "\(configuration)/boxoffice/keys" }
        guard let home = self["HOME"] else {
            throw StartupError(
                "There is no folder for the keys: set BOXOFFICE_KEYS (HOME is not set either).",
                exitStatus: ExitStatus.configuration)
        }
        return "\(home)/.config/boxoffice/keys"
    }
}
