public import Contracts
public import Localization
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
    public func makeServerKeys() throws -> LocalizedText {
        try make(secret: serverKey, public: serverPublicKey)
        let keygen = "\(Installation.program("broker")) keygen"
        return LocalizedText(
            ko: """
                만들었습니다: \(serverKey) (브로커의 비밀 키, 옮기지 않음)
                만들었습니다: \(serverPublicKey) (공개 키, 클라이언트가 있는 모든 컴퓨터에 필요: BOXOFFICE_BROKER_KEY_FILE)
                다음 단계: 프로그램마다 \(keygen) --client NAME, --worker SERVICE/NAME, --operator NAME 중 하나를 실행하세요.
                """,
            en: """
                Wrote \(serverKey): the broker's secret key, which stays here.
                Wrote \(serverPublicKey): its public key, for every machine with clients (BOXOFFICE_BROKER_KEY_FILE).
                Next: \(keygen) --client NAME, --worker SERVICE/NAME or --operator NAME, once for each program.
                """)
    }

    /// Makes the keys of a peer and lists it in the folder of its role: the broker admits it from now on.
    ///
    /// - Parameters:
    ///   - name: of its files.
    ///   - service: of a worker.
    /// - Returns: instructions for the operator: what was written and the next step.
    public func makeKeys(of role: Role, named name: String, service: String? = nil) throws -> LocalizedText {
        if let service { try Self.checkService(service) }
        guard name.wholeMatch(of: /[A-Za-z0-9][A-Za-z0-9._-]{0,62}/) != nil else {
            throw StartupError(
                LocalizedText(
                    ko: "\("'\(name.printable)'".with(.topic)) 키 파일 이름으로 쓸 수 없습니다. 영문자나 숫자로 시작하고 "
                        + "영문자, 숫자, '.', '_', '-'로 된 63자 이하의 이름을 지정하세요.",
                    en:
                        "'\(name.printable)' cannot name a client's files: up to 63 of a-z, A-Z, 0-9, '.', '_' and '-', "
                        + "the first a letter or a digit."), exitStatus: ExitStatus.usage)
        }
        let folder = folder(of: role, service: service)
        let (secretKey, publicKey) = ("\(folder)/\(name).key", "\(folder)/\(name).pub")
        try make(secret: secretKey, public: publicKey, in: folder)
        let meaning =
            switch kind {
            case .curve:
                LocalizedText(
                    ko: "이 파일이 있는 동안 브로커가 \(name)의 연결을 받습니다.",
                    en: "The broker lets \(name) in for as long as this file is here.")
            case .nats:
                LocalizedText(
                    ko: "다음 단계: \(Installation.program("broker")) nats-config의 출력을 서버 설정에 넣고 서버가 다시 읽게 하세요.",
                    en: "Next: \(Installation.program("broker")) nats-config writes it into the configuration of the "
                        + "servers, which then reload it.")
            }
        return LocalizedText(
            ko: """
                만들었습니다: \(secretKey) (비밀 키). 프로그램이 있는 컴퓨터로 옮기세요(BOXOFFICE_KEY_FILE).
                만들었습니다: \(publicKey) (공개 키). \(meaning.ko)
                """,
            en: """
                Wrote \(secretKey): the secret key. Move it to the program's machine (BOXOFFICE_KEY_FILE).
                Wrote \(publicKey): its public key. \(meaning.en)
                """)
    }

    private static func checkService(_ name: String) throws {
        let services = ServiceDescription.all.filter { [.worker, .exclusiveWorker, .page].contains($0.kind) }.map(
            \.name)
        guard services.contains(name) else {
            let list = services.joined(separator: ", ")
            throw StartupError(
                LocalizedText(
                    ko: "\("'\(name.printable)'".with(.topic)) 워커가 있는 서비스가 아닙니다. SERVICE/NAME으로 지정하세요. "
                        + "서비스: \(list).",
                    en: "'\(name.printable)' is no service with workers. Give SERVICE/NAME with one of: \(list)."),
                exitStatus: ExitStatus.usage)
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
            LocalizedText(
                ko: "\(file) 파일이 이미 있습니다. 덮어쓰면 그 키를 쓰는 프로그램이 연결할 수 없게 됩니다. "
                    + "파일을 먼저 옮기거나 다른 이름이나 --keys를 지정하세요.",
                en: "\(file) exists, and keygen overwrites no key: its clients would be locked out. "
                    + "Move it away first, or choose another name or --keys."),
            exitStatus: ExitStatus.inputOutput)
    }

    private static func unwritable(_ file: String) -> StartupError {
        StartupError(
            LocalizedText(
                ko: "키 파일 \(file)에 쓸 수 없습니다: \(String(cString: strerror(errno))). --keys로 쓸 수 있는 폴더를 지정하세요.",
                en: "The key file \(file) cannot be written: \(String(cString: strerror(errno))). "
                    + "Choose a folder that is writable with --keys."),
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
