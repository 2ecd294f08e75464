public import Contracts
import ProcessKit
import ZeroMQ

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

extension KeyFolder {
    /// Makes the broker's own keys, and the folder if it is missing.
    ///
    /// - Returns: instructions for the operator: what was written and the next step.
    public func makeServerKeys() throws -> String {
        try make(secret: serverKey, public: serverPublicKey)
        return """
            Wrote \(serverKey): the broker's secret key, which stays here.
            Wrote \(serverPublicKey): its public key, for every machine with clients (BOXOFFICE_BROKER_KEY_FILE).
            Next: \(Installation.program("broker")) keygen --client NAME, --worker SERVICE/NAME or --operator NAME, once for each program.
            """
    }

    /// Makes the keys of a peer and lists it in the folder of its role: the broker admits it from now on.
    ///
    /// - Parameters:
    ///   - name: of its files.
    ///   - service: of a worker.
    /// - Returns: instructions for the operator: what was written and the next step.
    public func makeKeys(of role: Role, named name: String, service: String? = nil) throws -> String {
        if let service { try Self.checkService(service) }
        guard name.wholeMatch(of: /[A-Za-z0-9][A-Za-z0-9._-]{0,62}/) != nil else {
            throw StartupError(
                "'\(name)' cannot name a client's files: up to 63 of a-z, A-Z, 0-9, '.', '_' and '-', the first a letter or "
                    + "a digit.", exitStatus: ExitStatus.usage)
        }
        let folder = folder(of: role, service: service)
        let (secretKey, publicKey) = ("\(folder)/\(name).key", "\(folder)/\(name).pub")
        try make(secret: secretKey, public: publicKey, in: folder)
        let meaning =
            switch kind {
            case .curve: "The broker lets \(name) in for as long as this file is here."
            case .nats:
                "Next: \(Installation.program("broker")) nats-config writes it into the configuration of the servers, which then reload it."
            }
        return """
            Wrote \(secretKey): the secret key. Move it to the program's machine (BOXOFFICE_KEY_FILE).
            Wrote \(publicKey): its public key. \(meaning)
            """
    }

    private static func checkService(_ name: String) throws {
        let services = ServiceDescription.all.filter { [.worker, .exclusiveWorker, .page].contains($0.kind) }.map(
            \.name)
        guard services.contains(name) else {
            throw StartupError(
                "'\(name)' is no service with workers. Give SERVICE/NAME with one of: "
                    + "\(services.joined(separator: ", ")).", exitStatus: ExitStatus.usage)
        }
    }

    private func make(secret: String, public publicFile: String, in folder: String? = nil) throws {
        let pair = try kind.makePair()
        makeParents()
        for folder in folders + (folder.map { [Self.folder(at: $0)] } ?? []) { try folder.prepare() }
        for file in [secret, publicFile] where access(file, F_OK) == 0 { throw Self.exists(file) }
        try Self.write(pair.secret, to: secret)
        do {
            try Self.write(pair.public, to: publicFile)
        } catch {
            unlink(secret)
            throw error
        }
    }

    /// Ignores failures: preparing the folder itself reports them.
    private func makeParents() {
        for index in path.indices.dropFirst() where path[index] == "/" { mkdir(String(path[..<index]), 0o700) }
    }

    private static func write(_ key: String, to file: String) throws {
        let descriptor = open(file, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw errno == EEXIST ? exists(file) : unwritable(file) }
        defer { close(descriptor) }
        let line = Array("\(key)\n".utf8)
        guard LineOutput.write(line, to: descriptor) == nil, fsync(descriptor) == 0 else {
            defer { unlink(file) }
            throw unwritable(file)
        }
    }

    private static func exists(_ file: String) -> StartupError {
        StartupError(
            "\(file) exists, and keygen overwrites no key: its clients would be locked out. "
                + "Move it away first, or choose another name or --folder.",
            exitStatus: ExitStatus.inputOutput)
    }

    private static func unwritable(_ file: String) -> StartupError {
        StartupError(
            "The key file \(file) cannot be written: \(String(cString: strerror(errno))).",
            exitStatus: ExitStatus.inputOutput)
    }
}

extension KeyFolder.Kind {
    /// The texts of two new key files.
    fileprivate func makePair() throws -> (secret: String, public: String) {
        switch self {
        case .curve:
            guard CurveKeyPair.isSupported else { throw KeyFolder.noEncryption }
            let pair = try CurveKeyPair.random()
            return (pair.secretKey.revealed(), pair.publicKey.description)
        case .nats:
            let pair = NATSKeyPair.random()
            return ("\(pair.publicKey)\n\(pair.seed)", pair.publicKey)
        }
    }
}
