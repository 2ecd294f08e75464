import ArgumentParser
import ProcessKit
import ServiceKit

struct CompletionsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "completions",
        abstract: say(
            "셸 자동 완성 스크립트. 영화 코드는 캐시에서.",
            "A script that lets a shell complete this command, with film codes out of the cache."),
        discussion: """
            EXAMPLES
              source <(gateway completions bash)
              gateway completions zsh > ~/.zfunc/_gateway
              gateway completions fish > ~/.config/fish/completions/gateway.fish
            """)

    enum Shell: String, CaseIterable, ExpressibleByArgument {
        case bash, zsh, fish

        fileprivate var shell: CompletionShell {
            switch self {
            case .bash: .bash
            case .zsh: .zsh
            case .fish: .fish
            }
        }
    }

    @Argument(help: .words("bash, zsh, fish 가운데 하나.", "bash, zsh or fish."))
    var shell: Shell
    @OptionGroup var language: LanguageOption

    func run() async {
        await ServiceProcess.main {
            _ = try LineOutput.write(GatewayCommand.completionScript(for: shell.shell))
            return ExitStatus.complete
        }
    }
}
