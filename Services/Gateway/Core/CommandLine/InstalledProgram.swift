import ArgumentParser
import CommandKit
import ProcessKit

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The programs that an installation's one command runs by their names: `boxoffice tap` is `tap` of a clone.
public enum InstalledProgram {
    /// Replaces this process by the program that the first word names; returns when it names none.
    ///
    /// - Throws: `StartupError` when the program cannot be started.
    public static func replaceProcess(_ words: [String]) throws {
        guard let (path, rest) = call(words, Installation.programs) else { return }
        var arguments = ([path] + rest).map { strdup($0) }
        arguments.append(nil)
        execv(path, &arguments)
        throw StartupError("\(path): \(String(cString: strerror(errno)))", exitStatus: ExitStatus.inputOutput)
    }

    /// The program of a command line and its arguments; "help tap" means "tap --help".
    static func call(_ words: [String], _ programs: [String: String]) -> (path: String, arguments: [String])? {
        if words.first == "help", words.count == 2, let path = programs[words[1]] { return (path, ["--help"]) }
        guard let name = words.first, let path = programs[name] else { return nil }
        return (path, Array(words.dropFirst()))
    }

    /// For the list of commands in the help; their command lines never reach the parser.
    static var commands: [any ParsableCommand.Type] {
        let all: [any ParsableCommand.Type] = [Stack.self, Tap.self, Web.self, Broker.self]
        return all.filter { Installation.programs[$0._commandName] != nil }
    }

    private struct Stack: ParsableCommand {
        static var configuration: CommandConfiguration {
            CommandConfiguration(
                commandName: "stack",
                abstract: say("스택 시작, 확장, 상태 확인, 종료", "Start, scale, inspect and stop the services."))
        }
    }

    private struct Tap: ParsableCommand {
        static var configuration: CommandConfiguration {
            CommandConfiguration(
                commandName: "tap", abstract: say("이벤트 스트림 출력", "Print the event stream."))
        }
    }

    private struct Web: ParsableCommand {
        static var configuration: CommandConfiguration {
            CommandConfiguration(
                commandName: "web",
                abstract: say("웹 페이지 제공 또는 파일로 내보내기", "Serve the pages, or export them as files."))
        }
    }

    private struct Broker: ParsableCommand {
        static var configuration: CommandConfiguration {
            CommandConfiguration(
                commandName: "broker",
                abstract: say("브로커 실행, 네트워크 키 생성", "Run the broker, or generate keys for the network."))
        }
    }
}
