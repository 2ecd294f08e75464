internal import Localization
public import Majordomo
internal import MessageBus
public import ProcessKit
internal import Synchronization

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Darwin
#endif

/// The private folder of a stack's sockets: `$BOXOFFICE_RUN`, else `$XDG_RUNTIME_DIR/boxoffice` in a folder of this user, else
/// `/tmp/boxoffice-UID`. Stacks with different folders are independent.
public struct RunFolder: Sendable {
    private let folder: PrivateFolder

    public var path: String { folder.path }

    public init(_ environment: Environment) {
        if let path = environment["BOXOFFICE_RUN"] {
            self.init(path: path)
        } else if let runtime = Self.runtimeFolder(environment) {
            self.init(path: "\(runtime)/boxoffice")
        } else {
            self.init(path: "/tmp/boxoffice-\(getuid())")
        }
    }

    /// `$XDG_RUNTIME_DIR`; nil when it is not set, and when it is no folder of this user, as after a change of the user.
    private static func runtimeFolder(_ environment: Environment) -> String? {
        guard let path = environment["XDG_RUNTIME_DIR"] else { return nil }
        var status = stat()
        if path.hasPrefix("/"), stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR, status.st_uid == geteuid()
        {
            return path
        }
        if !isIgnoredRuntimeFolderNoted.exchange(true, ordering: .relaxed) {
            let language = Language(environment)
            LineOutput.note(
                language(
                    "XDG_RUNTIME_DIR=\(path.printable): 이 사용자의 폴더가 아니어서 쓰지 않습니다.",
                    "XDG_RUNTIME_DIR=\(path.printable) is not used: it is no folder of this user.") + "\n")
        }
        return nil
    }

    /// A process asks several times.
    private static let isIgnoredRuntimeFolderNoted = Atomic(false)

    init(path: String) {
        folder = PrivateFolder(
            path: path, name: LocalizedText(ko: "실행 디렉터리", en: "run directory"),
            advice: LocalizedText(
                ko: "BOXOFFICE_RUN을 자신의 폴더로 정하세요.", en: "Set BOXOFFICE_RUN to a folder of your own."))
    }

    /// The folder of the bus at this address; nil when it is on the network.
    public init?(of address: String) {
        guard address.hasPrefix("ipc://"), let slash = address.lastIndex(of: "/") else { return nil }
        self.init(path: String(address[..<slash].dropFirst("ipc://".count)))
    }

    /// The folder in which the launcher stores the output of the services.
    public var logFolder: String { "\(path)/\(RunFolderNames.log)" }

    public var lockFile: String { "\(path)/\(RunFolderNames.lock)" }

    public func endpoints() throws -> BrokerEndpoints {
        let sockets = RunFolderNames.sockets
        return try BrokerEndpoints(requests: ipc(sockets[0]), eventsIn: ipc(sockets[1]), events: ipc(sockets[2]))
    }

    /// The address of a bus that the launcher has recorded here; nil when the stack has a broker of ours.
    ///
    /// - Throws: `StartupError` for a folder that other users could access.
    public func busAddress() throws -> String? {
        guard let bytes = FileManager.default.contents(atPath: "\(path)/\(RunFolderNames.bus)") else { return nil }
        try folder.check()
        return String(decoding: bytes.prefix(4096).prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    }

    /// The key for the servers that the launcher has started for the stack in this folder, and their certificate; nil for
    /// another bus.
    ///
    /// - Throws: `StartupError` for a folder that other users could access.
    func filesOfOwnBus(_ bus: BusAddress) throws -> (key: String, certificate: String)? {
        let files = (key: "\(path)/\(RunFolderNames.busKey)", certificate: "\(path)/\(RunFolderNames.busCertificate)")
        guard FileManager.default.fileExists(atPath: files.key), let address = try busAddress(),
            try BusAddress(address) == bus
        else { return nil }
        return files
    }

    /// Removes the sockets, which libzmq does not remove; called by the broker that holds the lock when it ends.
    public func removeSockets() {
        for name in RunFolderNames.sockets { unlink("\(path)/\(name)") }
    }

    private func ipc(_ name: String) throws -> String {
        let file = "\(path)/\(name)"
        let longest = RunFolderNames.longestSocketPath
        guard file.utf8.count <= longest else {
            throw StartupError(
                LocalizedText(
                    ko: "소켓 경로 \(file.with(.subject)) 너무 깁니다(\(file.utf8.count)바이트, 최대 \(longest)바이트). "
                        + "BOXOFFICE_RUN을 더 짧은 경로로 설정하세요.",
                    en: "The socket path \(file) is too long: \(file.utf8.count) bytes, at most \(longest). "
                        + "Set BOXOFFICE_RUN to a shorter path."),
                exitStatus: ExitStatus.configuration)
        }
        return "ipc://\(file)"
    }

    /// Creates the folder if it is missing, and refuses a folder that other users could access.
    public func prepare() throws {
        try folder.prepare()
    }

    /// Refuses a folder that other users could access, and a missing one: no stack can run there.
    func checkForStack() throws {
        guard !folder.isMissing else {
            throw StartupError(
                LocalizedText(
                    ko: "\(path)에서 실행 중인 스택이 없습니다. 시작하세요: \(Installation.stack("up")). 데모 데이터로: "
                        + "\(Installation.stack("up --demo"))",
                    en: "No stack is running in \(path). Start one: \(Installation.stack("up")). With demo data: "
                        + "\(Installation.stack("up --demo"))"),
                exitStatus: ExitStatus.unavailable)
        }
        try folder.check()
    }

    /// Refuses a folder that other users could access.
    func checkIfPresent() throws {
        if !folder.isMissing { try folder.check() }
    }
}
