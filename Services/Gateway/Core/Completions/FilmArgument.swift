import ArgumentParser
import Assembly
import Envelope
import Localization
import MessageBus
import ProcessKit
import ServiceKit
import TerminalText

/// A film by its code.
struct FilmArgument: ParsableArguments {
    @Argument(
        help: .words(
            "영화 코드. chart --json에 나오는 여덟 글자.",
            "The film's KOBIS code, 8 letters and digits, as gateway chart --json shows it."),
        completion: FilmCompletion.kind)
    var filmCode: String

    var code: String { filmCode.uppercased() }

    func validate() throws {
        guard filmCode.wholeMatch(of: /[0-9A-Za-z]{8}/) != nil else {
            throw ValidationError.usage(
                "'\(filmCode.printable)'은(는) 영화 코드가 아닙니다. 20199882 같은 여덟 글자입니다.",
                "'\(filmCode.printable)' is no film code: 8 letters and digits, as 20199882.")
        }
    }
}

/// Completions of a film: the codes of stored charts, with their titles where the shell shows them.
enum FilmCompletion {
    static let kind = CompletionKind.custom { _, _, _ in await films() }

    /// Empty when the stack is unavailable or any error occurs: a shell cannot show the reason.
    private static func films() async -> [String] {
        let context = CommandContext.current.context
        guard let settings = try? context.environment.mergingFile(),
            let configuration = try? BusConfiguration.find(nil, settings, instance: context.instance)
        else { return [] }
        let films = try? await withMessageBus(configuration) { bus in
            let now = context.clock.now()
            let commands = GatewayCommands(
                bus: bus, presentation: Presentation(isJSON: false, language: .ko, style: .plain, now: now),
                deadline: .now + GatewayTiming.completionLimit, policy: AnswerPolicy(isOffline: true))
            return try await commands.filmsForCompletion(now: now).map { film in
                switch CompletionShell.requesting {
                case .zsh: "\(film.code):\(film.title.replacing(":", with: " "))"
                case .fish: "\(film.code)\t\(film.title)"
                default: film.code
                }
            }
        }
        return films ?? []
    }
}
