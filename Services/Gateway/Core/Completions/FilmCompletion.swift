import ArgumentParser
import Assembly
import Envelope
import Localization
import MessageBus
import ProcessKit
import ServiceKit
import TerminalText

/// Completions of a film: the codes of stored charts, with their titles where the shell shows them.
enum FilmCompletion {
    static let kind = CompletionKind.custom { _, _, _ in await films() }

    /// Empty when the stack is unavailable or any error occurs: a shell cannot show the reason.
    private static func films() async -> [String] {
        let context = CommandContext.current
        guard let settings = try? context.settings(),
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
