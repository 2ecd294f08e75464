import ArgumentParser
import CommandKit
import Contracts
import Domain
import Localization
import ProcessKit

struct ArchiveCommand: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "archive",
            abstract: say("아카이브 조회 및 채우기", "Inspect and fill the archive of charts."),
            discussion: """
                EXAMPLES
                  \(Installation.gateway) archive status
                  \(Installation.gateway) archive fill 2022 --dry-run
                  \(Installation.gateway) archive fill 2022-01..2022-06
                  \(Installation.gateway) archive pause
                """,
            subcommands: [Status.self, Fill.self, Pause.self, Resume.self, Cancel.self])
    }

    struct Status: AnsweringCommand {
        static var configuration: CommandConfiguration {
            CommandConfiguration(
                commandName: "status",
                abstract: say("연도별 보유 현황과 채우기 작업 출력", "Show the coverage by year, and the fills."),
                discussion: """
                    EXAMPLES
                      \(Installation.gateway) archive status
                      \(Installation.gateway) archive status --json
                    """)
        }

        @OptionGroup var common: CommonOptions

        func answer(in context: CommandContext) async throws -> Answer {
            try await common.answer(in: context) { try await $0.archiveStatus() }
        }
    }

    struct Fill: AnsweringCommand {
        static var configuration: CommandConfiguration {
            CommandConfiguration(
                commandName: "fill",
                abstract: say("기간의 누락된 차트를 가져옴", "Fetch the missing charts of a range."),
                discussion: """
                    EXAMPLES
                      \(Installation.gateway) archive fill 2022 --dry-run
                      \(Installation.gateway) archive fill 2022-01
                      \(Installation.gateway) archive fill 2021..2022 --weekly --detach

                    \(say("Ctrl-C를 누르면 작업이 일시 중지됩니다.", "Ctrl-C pauses the fill."))
                    \(say("하루 한도에 도달하면 종료 코드 75로 끝나고, 00:05(한국 시각)에 재개됩니다.", "If the daily quota runs out, the command exits with 75 and the fill resumes at 00:05 KST."))
                    """)
        }

        @Argument(
            help: .words(
                "기간, 예: 2022, 2022-01, 2022-W01, A..B, -30d..",
                "Range of days, e.g. 2022, 2022-01, 2022-W01, A..B or -30d.."))
        var range: String
        @Flag(help: .words("차트 종류 (기본값: 일별)", "Kind of charts (default: daily)."))
        var span: ChartSpan?
        @Flag(help: .words("영화 상세 정보도 가져옴", "Fetch the films' details, too."))
        var details = false
        @Flag(help: .words("예상 호출 수만 출력", "Print the estimate and fetch nothing."))
        var dryRun = false
        @Flag(help: .words("작업을 시작하고 바로 종료", "Start the fill and return immediately."))
        var detach = false
        @Option(help: .words("초당 호출 수, 1~100 또는 off(제한 없음)", "Calls per second, 1 to 100, or off for no limit."))
        var rate = "5"
        @OptionGroup var common: CommonOptions

        func validate() throws {
            guard rate == "off" || Int(rate).flatMap(CallRate.init) != nil else {
                throw ValidationError.usage("--rate는 1부터 100까지, 또는 off입니다.", "--rate takes 1 to 100, or off.")
            }
        }

        func answer(in context: CommandContext) async throws -> Answer {
            let now = context.clock.now()
            let days: ClosedRange<Day>
            if let range = try DateArgument.resolveRange(range, now: now) {
                days = range
            } else {
                let day = try DateArgument.resolve(range, now: now)
                days = day...day
            }
            let request = ArchiveFillRequest(
                span?.kind ?? .daily, days, details: details, rate: Int(rate).flatMap(CallRate.init))
            let progress = FillProgress(context)
            return try await common.answer(in: context) {
                try await $0.fill(request, isDryRun: dryRun, isDetached: detach, progress: progress)
            }
        }
    }

    struct Pause: FillChangeCommand {
        static let change = ArchiveFillChangeRequest.Change.pause
        static var abstract: String { say("채우기 작업 일시 중지", "Pause the fills.") }

        @OptionGroup var number: FillNumber
        @OptionGroup var common: CommonOptions
    }

    struct Resume: FillChangeCommand {
        static let change = ArchiveFillChangeRequest.Change.resume
        static var abstract: String { say("채우기 작업 재개", "Resume paused fills.") }

        @OptionGroup var number: FillNumber
        @OptionGroup var common: CommonOptions
    }

    struct Cancel: FillChangeCommand {
        static let change = ArchiveFillChangeRequest.Change.cancel
        static var abstract: String { say("채우기 작업 취소(가져온 차트는 유지)", "Cancel fills; fetched charts stay.") }

        @OptionGroup var number: FillNumber
        @OptionGroup var common: CommonOptions
    }
}

/// Changes one fill, or all of them.
protocol FillChangeCommand: AnsweringCommand {
    static var change: ArchiveFillChangeRequest.Change { get }
    static var abstract: String { get }

    var number: FillNumber { get }
    var common: CommonOptions { get }
}

extension FillChangeCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: change.rawValue, abstract: abstract,
            discussion: """
                EXAMPLES
                  \(Installation.gateway) archive \(change.rawValue)
                  \(Installation.gateway) archive \(change.rawValue) 3
                """)
    }

    func answer(in context: CommandContext) async throws -> Answer {
        let (change, number) = (Self.change, number.number)
        return try await common.answer(in: context) { try await $0.changeFills(change, number) }
    }
}

/// A fill by the number that `archive status` shows.
struct FillNumber: ParsableArguments {
    @Argument(help: .words("작업 번호 (기본값: 모든 작업)", "Number of the fill (default: all fills)."))
    var number: Int?
}
