import ArgumentParser
import Assembly
import BusSettings
import Contracts
import Domain
import Envelope
import Localization
import MessageBus
import ProcessKit
import Records
import ServiceKit
import TerminalText

/// What a shell offers for an argument.
enum Completions {
    /// The codes of the films of stored charts, with their titles where the shell shows them.
    static let films = CompletionKind.custom { _, _, _ in
        await fromStack { try await $0.filmsForCompletion(now: $1).map { word($0.code, note: $0.title) } }
    }

    /// The days of the last week, and the short forms of a day.
    static let days = CompletionKind.custom { _, _, _ in
        let yesterday = Day.yesterdayInSeoul(secondsSinceEpoch: CommandContext.current.clock.now())
        let last = (0..<7).map { yesterday.advanced(by: -$0).iso }
        return ["yesterday", "어제", "그제", "-7d", "-1w"] + last
    }

    /// The names of regions in both languages.
    static let regions = CompletionKind.list(Region.allCases.flatMap { [$0.korean, $0.english] })

    /// The names of fields; after a comma those that may follow.
    static func fields(_ fields: [FilmRecord.Field]) -> CompletionKind {
        let names = fields.map(\.name)
        return .custom { _, _, prefix in
            let given = prefix.split(separator: ",", omittingEmptySubsequences: false).dropLast().map(String.init)
            let start = given.map { "\($0)," }.joined()
            return names.filter { !given.contains($0) }.map { start + $0 }
        }
    }

    /// The broker, the services and the instances that are registered.
    static let subjects = CompletionKind.custom { _, _, _ in
        let instances = await fromStack { commands, _ in
            try await commands.bus.workers(deadline: commands.deadline).workers.map(\.instance.printable)
        }
        return ["broker"] + ServiceName.all + ServiceName.optional + instances
    }

    /// A word with a note where the shell shows notes.
    private static func word(_ word: String, note: String) -> String {
        switch CompletionShell.requesting {
        case .zsh: "\(word):\(note.replacing(":", with: " "))"
        case .fish: "\(word)\t\(note)"
        // The script takes the note away from the last word that is left.
        default: "\(word)  \(plain(note))"
        }
    }

    /// Bash expands what it is offered: letters, digits and single blanks are left.
    private static func plain(_ note: String) -> String {
        String(note.map { $0.isLetter || $0.isNumber ? $0 : " " }).split(separator: " ").joined(separator: " ")
    }

    /// Empty when the stack is unavailable or any error occurs.
    private static func fromStack(
        _ words: @escaping @Sendable (GatewayCommands, _ now: Double) async throws -> [String]
    ) async -> [String] {
        let context = CommandContext.current
        guard let settings = try? context.settings(),
            let configuration = try? BusConfiguration.find(nil, settings, instance: context.instance)
        else { return [] }
        // A shell cannot show a reason: any failure leaves it without words.
        let found = try? await withMessageBus(configuration) { bus in
            let now = context.clock.now()
            let commands = GatewayCommands(
                bus: bus, presentation: Presentation(isJSON: false, language: .ko, style: .plain, now: now),
                deadline: .now + GatewayTiming.completionLimit, policy: AnswerPolicy(isOffline: true))
            return try await words(commands, now)
        }
        return found ?? []
    }
}
