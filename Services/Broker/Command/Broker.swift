import AcceptBound
import ArgumentParser
import BrokerCore
import BusSettings
import CommandKit
import ProcessKit
import ServiceKit

@main
struct BrokerCommand: ServiceCommand {
    static func main() async { await runProcess() }

    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: Installation.program("broker"),
            abstract: say(
                "스택의 서비스 사이에서 요청, 응답, 이벤트 전달",
                "Route requests, replies and events between the services of a stack."),
            subcommands: [Run.self, Keygen.self, NATSConfig.self], defaultSubcommand: Run.self)
    }

    /// Never called: the default command is.
    func run(_ environment: Environment) async throws -> Int32 { throw CleanExit.helpRequest(self) }
}

struct Run: ServiceCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "run",
            abstract: say("브로커 실행(SIGTERM으로 종료)", "Run the broker until SIGTERM."),
            discussion: say(
                """
                소켓 위치: $BOXOFFICE_RUN, $XDG_RUNTIME_DIR/boxoffice, /tmp/boxoffice-UID 중
                처음으로 설정된 디렉터리. --bind를 지정하면 키가 등록된 클라이언트가 다른
                컴퓨터에서도 연결할 수 있습니다.
                """,
                """
                Its sockets lie in the run directory: $BOXOFFICE_RUN, else $XDG_RUNTIME_DIR/boxoffice, else \
                /tmp/boxoffice-UID. With --bind it is reached from other machines too, by clients whose keys are listed.
                """))
    }

    @Option(
        help: .words(
            "주소 tcp://HOST:PORT(다음 두 포트는 이벤트용)",
            "An address on the network, tcp://HOST:PORT; the two ports after it carry events."))
    var bind: String?
    @OptionGroup var folder: KeysOption
    @Flag(
        help: .words(
            "네트워크에서 암호화와 인증 없이 통신", "Speak clear text on the network, with anyone who connects."))
    var insecure = false
    @OptionGroup var language: LanguageOption

    func validate() throws {
        guard bind != nil || (folder.keys == nil && !insecure) else {
            throw ValidationError.usage(
                "--keys와 --insecure는 네트워크용입니다. --bind도 지정하세요.",
                "--keys and --insecure are about the network: give --bind too.")
        }
        guard folder.keys == nil || !insecure else {
            throw ValidationError.usage(
                "--keys와 --insecure는 함께 쓸 수 없습니다. 하나만 지정하세요.", "Give --keys or --insecure, not both.")
        }
    }

    func run(_ environment: Environment) async throws -> Int32 {
        // A backstop at 1.5 times the limit: normally the broker's loop ends surplus connections before.
        accept_below(Int32(BrokerService.usualMaxConnections / 2 * 3))
        let process = try ServiceProcess(name: "broker", environment: environment)
        let network = try bind.map { address in
            let keys = try insecure ? nil : KeyFolder(folder.keys, process.environment)
            return try NetworkListener(at: address, keys: keys, logger: process.logger)
        }
        try await runBroker(in: RunFolder(process.environment), network: network, process)
        return ExitStatus.complete
    }
}

/// Where the keys are.
struct KeysOption: ParsableArguments {
    @Option(
        help: .words(
            "키 폴더. 기본값: $BOXOFFICE_KEYS, 없으면 ~/.config/boxoffice/keys",
            "The folder of the keys; default: $BOXOFFICE_KEYS, else ~/.config/boxoffice/keys."))
    var keys: String?
}
