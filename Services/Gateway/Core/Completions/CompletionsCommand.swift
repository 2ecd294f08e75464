import ArgumentParser
import Assembly
import CommandKit
import Contracts
import Domain
import Envelope
import MessageBus
import ProcessKit
import Records
import ServiceKit

struct CompletionsCommand: AnsweringCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "completions",
            abstract: say(
                "셸 자동 완성 스크립트 출력",
                "Print a shell completion script."),
            discussion: """
                EXAMPLES
                  source <(\(Installation.gateway) completions bash)
                  \(Installation.gateway) completions zsh > ~/.zfunc/_\(Installation.gateway)
                  \(Installation.gateway) completions fish > ~/.config/fish/completions/\(Installation.gateway).fish
                """)
    }

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

    @Argument(help: .words("셸", "Shell."))
    var shell: Shell
    @OptionGroup var language: LanguageOption

    func answer(in context: CommandContext) async throws -> Answer {
        let script = ParserText(language: context.language).translated(
            GatewayCommand.completionScript(for: shell.shell))
        return Answer(lines: [script, shell.fieldScript])
    }
}

extension CompletionsCommand.Shell {
    /// Completes the names in `--json=rank,title`, which the parser takes for a flag.
    fileprivate var fieldScript: String {
        let names = FilmRecord.allFields.map(\.name).joined(separator: " ")
        let command = Installation.gateway
        return switch self {
        case .bash:
            """
            _\(command)_or_fields() {
                local word=${COMP_LINE:0:COMP_POINT}
                word=${word##* }
                if [[ $word == --json=* ]]; then
                    local given=${word#--json=}
                    COMPREPLY=($(compgen -P "${given%"${given##*,}"}" -W "\(names)" -- "${given##*,}"))
                else
                    _\(command) "$@"
                    # A code is offered with its title as long as there are others.
                    if [[ ${#COMPREPLY[@]} -eq 1 ]]; then COMPREPLY[0]=${COMPREPLY[0]%%  *}; fi
                fi
            }
            complete -o filenames -F _\(command)_or_fields \(command)
            """
        case .zsh:
            """
            _\(command)_or_fields() {
                if [[ $PREFIX == --json=* ]]; then
                    compset -P '--json='
                    compset -P '*,'
                    compadd -S '' -- \(names)
                else
                    _\(command) "$@"
                fi
            }
            compdef _\(command)_or_fields \(command)
            """
        case .fish:
            """
            function __\(command)_fields
                set -l given (string replace -- --json= '' (commandline -ct))
                set -l before (string replace -r '[^,]*$' '' -- $given)
                for name in \(names)
                    echo -- "--json=$before$name"
                end
            end
            complete -c \(command) -f -n "string match -q -- '--json=*' (commandline -ct)" -a '(__\(command)_fields)'
            """
        }
    }
}

extension GatewayCommands {
    /// Films of the stored charts of the last days, the latest first, each once: the codes that a shell offers.
    ///
    /// Reads only the cache: completion must not wait for an upstream.
    func filmsForCompletion(now: Double) async throws -> [(code: String, title: String)] {
        let today = Day.inSeoul(secondsSinceEpoch: now)
        let (charts, _, _) = try await query.storedCharts(
            (1...CachePeekRequest.maxKeys).map { today.advanced(by: -$0) })
        var seen: Set<String> = []
        return charts.flatMap(\.entries)
            // A shell may expand its completions: only valid codes are offered.
            .filter { $0.code.wholeMatch(of: /[0-9A-Za-z]{8}/) != nil && seen.insert($0.code).inserted }
            .map { ($0.code, $0.title.printable) }
    }
}
