import ArgumentParser
import Assembly
import Envelope
import GatewayCore
import Localization
import MessageBus
import ProcessKit
import ServiceKit
import TerminalText

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// What a shell offers for a film: the codes of stored charts, with their titles where the shell shows them.
enum FilmCompletion {
    /// Whoever presses a key does not wait.
    private static let patience: Duration = .milliseconds(500)

    static let kind = CompletionKind.custom { _, _, _ in await films() }

    /// Nothing, when the stack is away or anything else is wrong: a shell has no place for reasons.
    private static func films() async -> [String] {
        guard let environment = try? Environment.load(),
            let configuration = try? BusConfiguration.find(nil, environment, instance: "gateway/\(getpid())")
        else { return [] }
        let films = try? await withMessageBus(configuration) { bus in
            let now = WallClock.system.now()
            let commands = GatewayCommands(
                bus: bus, presentation: Presentation(isJSON: false, language: .ko, style: .plain, now: now),
                deadline: .now + patience, policy: AnswerPolicy(isOffline: true))
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
