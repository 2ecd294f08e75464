#if canImport(Glibc)
    private import Glibc
#endif

/// The service manager that has started this process: systemd, or none.
public enum ServiceManager {
    /// Reports that the process serves now, as sd_notify(3) does; without a manager nothing happens.
    ///
    /// - Parameter environment: `NOTIFY_SOCKET` names the manager's socket.
    public static func notifyReady(_ environment: Environment) {
        guard let address = environment["NOTIFY_SOCKET"] else { return }
        send("READY=1", to: address)
    }

    /// - Parameter address: of a datagram socket: a path, or after "@" a name without a file.
    static func send(_ state: String, to address: String) {
        #if os(Linux)
            var name = sockaddr_un()
            name.sun_family = sa_family_t(AF_UNIX)
            var path = Array(address.utf8)
            guard !path.isEmpty, path.count < MemoryLayout.size(ofValue: name.sun_path) else { return }
            if path[0] == UInt8(ascii: "@") { path[0] = 0 }
            withUnsafeMutableBytes(of: &name.sun_path) { $0.copyBytes(from: path) }
            let channel = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
            guard channel >= 0 else { return }
            defer { close(channel) }
            let length = socklen_t(MemoryLayout<sa_family_t>.size + path.count)
            // A manager that does not listen ends a start that is never reported.
            _ = withUnsafePointer(to: &name) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                    sendto(channel, state, state.utf8.count, Int32(MSG_NOSIGNAL), address, length)
                }
            }
        #endif
    }
}
