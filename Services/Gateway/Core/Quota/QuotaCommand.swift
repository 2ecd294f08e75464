import ArgumentParser
import CommandKit
import Contracts
import Envelope
import Inspection
import Localization
import MessageBus
import ProcessKit
import TerminalText

struct QuotaCommand: AnsweringCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "quota",
            abstract: say(
                "오늘의 API 호출 수와 남은 한도 출력",
                "Show today's API calls and the remaining quota."),
            discussion: """
                EXAMPLES
                  \(Installation.gateway) quota
                  \(Installation.gateway) quota --json
                """)
    }

    @OptionGroup var common: CommonOptions

    func answer(in context: CommandContext) async throws -> Answer {
        try await common.answer(in: context) { try await $0.quota() }
    }
}

extension GatewayCommands {
    /// The daily usage of each API key.
    func quota() async throws -> Answer {
        let bytes = try await bus.ask(ServiceName.cacheStore, QuotaListRequest.kind, deadline: deadline)
        if presentation.isJSON { return Answer(output: bytes) }
        let reply = try JSONBytes.decode(QuotaListReply.self, from: bytes)
        return Answer(lines: QuotaText(presentation).lines(reply))
    }
}

/// The call counts as a table.
struct QuotaText {
    private let presentation: Presentation
    private var language: Language { presentation.language }

    init(_ presentation: Presentation) {
        self.presentation = presentation
    }

    func lines(_ reply: QuotaListReply) -> [String] {
        table(reply.accounts) + presentation.wrapped(reply.diskFailure.map { [diskFailureNote($0)] } ?? [], indent: 2)
    }

    /// Of key, used, left, limit and reset.
    private static let priorities = [1, 4, 5, 3, 2]

    private func table(_ accounts: [QuotaStatus]) -> [String] {
        guard !accounts.isEmpty else {
            return [language("오늘까지 업스트림을 부른 적이 없습니다.", "No upstream has been called yet.")]
        }
        let head = [
            "", language("키", "key"), language("사용", "used"), language("남음", "left"), language("한도", "limit"),
            language("초기화", "reset"),
        ]
        let rows = accounts.map { account in
            [
                account.upstream.printable, account.key.printable, account.used.withSeparators,
                account.left.withSeparators, account.limit.withSeparators, language("한국 시각 0시", "midnight in Seoul"),
            ]
        }
        return presentation.table([head] + rows, priorities: Self.priorities)
            + presentation.wrapped(accounts.filter(\.isExhausted).map(exhaustionNote), indent: 2)
    }

    private func diskFailureNote(_ reason: String) -> String {
        language(
            "디스크에 쓸 수 없어, 다시 시작하면 지금까지의 집계를 잃습니다: \(reason)",
            "The disk fails, and a restart forgets what was counted: \(reason)"
        ).printable
    }

    private func exhaustionNote(_ account: QuotaStatus) -> String {
        language(
            "\(account.upstream.with(.subject)) 하루 이용량을 초과했다고 답했습니다. 한 시간에 한 번만 다시 물어봅니다.",
            "\(account.upstream) says that the day is used up; it is asked again once an hour."
        ).printable
    }
}
