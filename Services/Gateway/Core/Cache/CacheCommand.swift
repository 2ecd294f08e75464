import ArgumentParser
import CommandKit
import Contracts
import Envelope
import Inspection
import Localization
import MessageBus
import ProcessKit
import TerminalText

struct CacheCommand: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "cache",
            abstract: say("캐시 조회 및 삭제", "Inspect or clear the cache."),
            discussion: """
                EXAMPLES
                  \(Installation.gateway) cache stats
                  \(Installation.gateway) cache purge chart
                  \(Installation.gateway) cache clear
                """, subcommands: [Figures.self, Purge.self, Clear.self])
    }

    struct Figures: AnsweringCommand {
        static var configuration: CommandConfiguration {
            CommandConfiguration(
                commandName: "stats",
                abstract: say(
                    "캐시의 항목 수, 크기, 적중률 출력",
                    "Show the cache's entries, sizes and hit rates."),
                discussion: """
                    EXAMPLES
                      \(Installation.gateway) cache stats
                      \(Installation.gateway) cache stats --json
                    """)
        }

        @OptionGroup var common: CommonOptions

        func answer(in context: CommandContext) async throws -> Answer {
            try await common.answer(in: context) { try await $0.cacheStats() }
        }
    }

    struct Purge: AnsweringCommand {
        static var configuration: CommandConfiguration {
            CommandConfiguration(
                commandName: "purge",
                abstract: say("항목 하나 또는 한 종류 전체 삭제", "Remove one entry, or all entries of a kind."),
                discussion: """
                    EXAMPLES
                      \(Installation.gateway) cache purge chart
                      \(Installation.gateway) cache purge poster.find
                      \(Installation.gateway) cache purge 'chart.daily?date=2022-01-05'
                    """)
        }

        @Argument(
            help: .words(
                "키, 종류(chart.daily), 또는 종류의 첫 단어(chart)",
                "Key, kind (chart.daily) or first word of kinds (chart, movie, poster)."))
        var what: String
        @OptionGroup var common: CommonOptions

        func validate() throws {
            guard CachePurgeRequest(what: what).isPossible else {
                let kinds = CachePurgeRequest.entryKinds.joined(separator: ", ")
                throw ValidationError.usage(
                    "\("'\(what.printable)'".with(.topic)) 캐시의 키나 종류가 아닙니다. 키, 종류(\(kinds)) 또는 종류의 첫 단어(chart, movie, poster)를 지정하세요.",
                    "There are no entries '\(what.printable)'. Specify a kind (\(kinds)), its first word (chart, movie, poster), or a key."
                )
            }
        }

        func answer(in context: CommandContext) async throws -> Answer {
            try await common.answer(in: context) { try await $0.purge(what) }
        }
    }

    struct Clear: AnsweringCommand {
        static var configuration: CommandConfiguration {
            CommandConfiguration(
                commandName: "clear",
                abstract: say(
                    "다시 받을 수 있는 항목 전체 삭제(호출 수는 유지)",
                    "Remove all entries that can be fetched again (call counts stay)."),
                discussion: """
                    EXAMPLES
                      \(Installation.gateway) cache clear
                    """)
        }

        @OptionGroup var common: CommonOptions

        func answer(in context: CommandContext) async throws -> Answer {
            try await common.answer(in: context) { try await $0.clearCache() }
        }
    }
}

extension GatewayCommands {
    func cacheStats() async throws -> Answer {
        let bytes = try await askCache(CacheStatsRequest.kind)
        if presentation.isJSON { return Answer(output: bytes) }
        let stats = try JSONBytes.decode(CacheStatsReply.self, from: bytes)
        return Answer(lines: CacheText(presentation).lines(stats))
    }

    /// - Parameter what: a key, a kind, or the first word of a kind.
    func purge(_ what: String) async throws -> Answer {
        try removalAnswer(
            await askCache(CachePurgeRequest.kind, payload: JSONBytes.encode(CachePurgeRequest(what: what))))
    }

    func clearCache() async throws -> Answer {
        try removalAnswer(await askCache(CacheClearRequest.kind))
    }

    private func removalAnswer(_ bytes: [UInt8]) throws -> Answer {
        if presentation.isJSON { return Answer(output: bytes) }
        let reply = try JSONBytes.decode(CacheRemovalReply.self, from: bytes)
        return Answer(lines: CacheText(presentation).removalLines(reply))
    }

    private func askCache(_ kind: String, payload: [UInt8] = []) async throws -> [UInt8] {
        try await bus.ask(ServiceName.cacheStore, kind, payload: payload, deadline: deadline)
    }
}

/// The cache's figures as a table.
struct CacheText {
    private let presentation: Presentation
    private var language: Language { presentation.language }

    init(_ presentation: Presentation) {
        self.presentation = presentation
    }

    func lines(_ stats: CacheStatsReply) -> [String] {
        let head = [
            "", language("항목", "entries"), language("한도", "max"), language("크기", "size"), language("크기 한도", "max size"),
            language("적중", "hits"), language("미적중", "misses"), language("축출", "evicted"),
            language("거절", "refused"),
        ]
        let rows = stats.memory.map { row($0, name: language("메모리", "memory") + " " + $0.name.printable) }
        let table = presentation.table(
            [head] + rows + [row(stats.disk, name: language("디스크", "disk"))], priorities: Self.priorities)
        return table
            + presentation.wrapped(
                ["", keyCounts(stats)] + [failureCount(stats), disk(stats)].compactMap { $0 }, indent: 2)
    }

    /// Of the columns after the name, in their order: the limits are lost together.
    private static let priorities = [8, 3, 7, 3, 6, 5, 2, 1]

    func removalLines(_ reply: CacheRemovalReply) -> [String] {
        let (entries, failures) = (reply.entries.withSeparators, reply.failures.withSeparators)
        let removed = language("\(entries)개 항목을 지웠습니다.", "Entries removed: \(entries)")
        let forgotten = language("기억하던 실패 \(failures)개도 지웠습니다.", "Failures forgotten: \(failures)")
        return reply.failures == 0 ? [removed] : [removed, forgotten]
    }

    private func row(_ tier: CacheStatsReply.Tier, name: String) -> [String] {
        [
            name, tier.entries.withSeparators, tier.maxEntries.withSeparators, size(tier.bytes), size(tier.maxBytes),
            tier.hits.withSeparators, tier.misses.withSeparators, tier.evictions.withSeparators,
            tier.refusals.withSeparators,
        ]
    }

    private func keyCounts(_ stats: CacheStatsReply) -> String {
        let (fresh, stale) = (stats.fresh.withSeparators, stats.stale.withSeparators)
        let missing = stats.missing.withSeparators
        return language(
            "조회한 키: 유효 \(fresh), 만료 \(stale), 없음 \(missing)",
            "Lookups: \(fresh) fresh, \(stale) stale, \(missing) missing")
    }

    private func failureCount(_ stats: CacheStatsReply) -> String? {
        guard stats.failures > 0 else { return nil }
        let count = stats.failures.withSeparators
        return language("기억하는 실패: \(count)", "Failures remembered: \(count)")
    }

    private func disk(_ stats: CacheStatsReply) -> String? {
        stats.diskFailure.map { reason in
            language("디스크 없이 메모리로만 동작합니다: \(reason)", "Disk cache unavailable; serving from memory: \(reason)")
                .printable
        }
    }

    /// In units of 1,024 bytes and more.
    private func size(_ bytes: Int) -> String {
        switch bytes {
        case ..<1024: "\(bytes) B"
        case ..<(1 << 20): "\((bytes + 512) / 1024) KiB"
        default: "\((bytes + (1 << 19)) >> 20) MiB"
        }
    }
}
