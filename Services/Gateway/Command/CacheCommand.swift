import ArgumentParser
import GatewayCore

struct CacheCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cache",
        abstract: say("캐시에 있는 것과 지울 것.", "What the cache holds, and what is to go."),
        discussion: """
            EXAMPLES
              gateway cache stats
              gateway cache purge chart
              gateway cache clear
            """, subcommands: [Figures.self, Purge.self, Clear.self])

    struct Figures: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "stats",
            abstract: say(
                "메모리와 디스크에 있는 것과 쓰인 횟수.",
                "What the cache holds in memory and on disk, and how often it helped."),
            discussion: """
                EXAMPLES
                  gateway cache stats
                  gateway cache stats --json
                """)
        @OptionGroup var common: CommonOptions

        func run() async { await common.answer { try await $0.cacheStats() } }
    }

    struct Purge: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "purge",
            abstract: say("항목 하나나 한 종류를 모두 지움.", "Removes one entry, or all of a kind."),
            discussion: """
                EXAMPLES
                  gateway cache purge chart
                  gateway cache purge poster.find
                  gateway cache purge 'chart.daily?date=2022-01-05'
                """)
        @Argument(
            help: .words(
                "키, chart.daily 같은 종류, 또는 그 첫 낱말.",
                "A key, a kind as chart.daily, or its first word: chart, movie, poster."))
        var what: String
        @OptionGroup var common: CommonOptions

        func validate() throws {
            guard !what.isEmpty else {
                throw ValidationError.usage(
                    "지울 것을 쓰세요: chart, movie, poster, 또는 키.", "Say what is to go: chart, movie, poster, or a key.")
            }
        }

        func run() async { await common.answer { try await $0.purge(what) } }
    }

    struct Clear: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "clear",
            abstract: say(
                "다시 받을 수 있는 것을 모두 지움. 호출 수는 남음.",
                "Removes everything that can be fetched again; counts of calls stay."),
            discussion: """
                EXAMPLES
                  gateway cache clear
                """)
        @OptionGroup var common: CommonOptions

        func run() async { await common.answer { try await $0.clearCache() } }
    }
}
