import ArgumentParser
import BrokerCore
import CommandKit
import Contracts
import Localization
import ProcessKit
import ServiceKit

struct Keygen: ServiceCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "keygen",
            abstract: say(
                "네트워크 브로커와 클라이언트의 키 생성",
                "Generate keys for a broker on the network or one of its clients."),
            discussion: say(
                """
                파일마다 키 하나를 저장합니다. 형식은 Z85 40자 한 줄이며, --nats를 지정하면
                공개 키와 시드가 한 줄씩입니다. 비밀 키는 .key, 공개 키는 .pub로 끝납니다.
                역할은 공개 키가 있는 폴더로 정해집니다.
                  clients/          질의
                  workers/SERVICE/  서비스 등록, 가져온 데이터 저장
                  operators/        삭제와 고정까지 모든 작업

                예
                  \(Installation.program("broker")) keygen
                  \(Installation.program("broker")) keygen --client laptop
                  \(Installation.program("broker")) keygen --worker detail-fetcher/box-1
                """,
                """
                Each file holds one key: one line of 40 characters of Z85, and with --nats a line with the public key and a \
                line with the seed. Secret keys end in .key, public ones in .pub. The folder of a public key is its role:
                  clients/          send questions
                  workers/SERVICE/  register as a worker of that service, and store what it fetches
                  operators/        everything, also removing and pinning

                EXAMPLES
                  \(Installation.program("broker")) keygen
                  \(Installation.program("broker")) keygen --client laptop
                  \(Installation.program("broker")) keygen --worker detail-fetcher/box-1
                """))
    }

    static let isLogged = false

    @Option(
        help: .words(
            "브로커 대신 클라이언트의 키 생성(gateway, 웹 페이지)",
            "Make the keys of a client (a gateway, the web pages) instead of the broker's."))
    var client: String?
    @Option(
        help: .words(
            "서비스 워커의 키 생성, SERVICE/NAME", "Make the keys of a worker, given as SERVICE/NAME."))
    var worker: String?
    @Option(help: .words("모든 권한을 가진 운영자의 키 생성", "Make the keys of an operator, who may do everything."))
    var `operator`: String?
    @Flag(
        help: .words(
            "브로커 대신 NATS 서버용 키 생성(nats-config가 등록)",
            "Make keys for servers of NATS instead of the broker; nats-config lists them there."))
    var nats = false
    @OptionGroup var folder: KeysOption
    @OptionGroup var language: LanguageOption

    func validate() throws {
        guard [client, worker, `operator`].compactMap(\.self).count <= 1 else {
            throw ValidationError.usage(
                "--client, --worker, --operator 중 하나만 지정하세요.", "Give one of --client, --worker and --operator.")
        }
        guard !nats || client != nil || worker != nil || `operator` != nil else {
            throw ValidationError.usage(
                "--nats는 프로그램의 키를 만듭니다. --client, --worker, --operator 중 하나도 지정하세요. NATS 서버는 "
                    + "키 대신 인증서를 씁니다.",
                "--nats makes the keys of a program: give --client, --worker or --operator too. The servers of NATS have "
                    + "certificates instead.")
        }
    }

    private func instructions(_ folder: KeyFolder) throws -> LocalizedText {
        if let client { return try folder.makeKeys(of: .client, named: client) }
        if let `operator` { return try folder.makeKeys(of: .stackOperator, named: `operator`) }
        guard let worker else { return try folder.makeServerKeys() }
        let (service, name) = (worker.prefix { $0 != "/" }, worker.drop { $0 != "/" }.dropFirst())
        return try folder.makeKeys(of: .worker, named: String(name), service: String(service))
    }

    func run(_ environment: Environment) async throws -> Int32 {
        let folder = try KeyFolder(folder.keys, environment, kind: nats ? .nats : .curve)
        _ = try LineOutput.write(instructions(folder)(OutputLanguage.current))
        return ExitStatus.complete
    }
}

struct NATSConfig: ServiceCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "nats-config",
            abstract: say(
                "nats-server 설정 중 키와 권한 부분 출력",
                "Print the keys and permissions section of a nats-server configuration."),
            discussion: say(
                """
                \(Installation.program("broker")) keygen --nats로 만든 키와 키별 권한을 출력합니다.
                서버는 다른 키를 받지 않습니다. 각 서버의 설정이 include하는 파일에 저장한 뒤
                서버가 다시 읽게 하세요:
                nats-server --signal reload
                """,
                """
                It names the keys that \(Installation.program("broker")) keygen --nats has made, and what each may do; the servers admit no others. \
                Write it to a file that the configuration of each server includes, and let the servers reload it: \
                nats-server --signal reload.
                """))
    }

    static let isLogged = false

    @OptionGroup var folder: KeysOption
    @Option(
        help: .words(
            "서버 인증서(PEM). 서버가 암호화된 연결만 받음",
            "The server's certificate (PEM): the servers accept encrypted connections only."))
    var certificate: String?
    @Option(help: .words("인증서의 비밀 키(PEM)", "The secret key of the certificate (PEM)."))
    var certificateKey: String?
    @Flag(help: .words("직접 만든 account에 넣을 사용자만 출력", "Print only the users, for an account of your own."))
    var users = false
    @OptionGroup var language: LanguageOption

    func validate() throws {
        guard (certificate == nil) == (certificateKey == nil) else {
            throw ValidationError.usage(
                "--certificate와 --certificate-key는 함께 지정하세요.", "Give --certificate and --certificate-key together.")
        }
        guard !users || certificate == nil else {
            throw ValidationError.usage(
                "--users와 --certificate는 함께 쓸 수 없습니다.", "--users and --certificate cannot be used together.")
        }
    }

    func run(_ environment: Environment) async throws -> Int32 {
        let folder = try KeyFolder(folder.keys, environment, kind: .nats)
        var files: NATSServerConfiguration.Certificate?
        if let certificate, let certificateKey {
            files = NATSServerConfiguration.Certificate(file: certificate, keyFile: certificateKey)
        }
        let configuration = try NATSServerConfiguration(folder, certificate: files)
        _ = try LineOutput.write(users ? configuration.usersText : configuration.text)
        return ExitStatus.complete
    }
}
