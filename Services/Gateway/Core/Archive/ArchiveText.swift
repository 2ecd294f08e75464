import Contracts
import Domain
import Envelope
import Localization
import ProcessKit
import TerminalText
import Wording

/// The archive's coverage and its fills as text.
struct ArchiveText {
    private let presentation: Presentation
    private var language: Language { presentation.language }

    init(_ presentation: Presentation) {
        self.presentation = presentation
    }

    func lines(_ status: ArchiveStatusReply) -> [String] {
        let years = coverage(status.years)
        guard !status.orders.isEmpty else { return years }
        return years + [""] + orders(status.orders)
    }

    // MARK: Coverage

    /// Of the columns after the year.
    private static let priorities = [6, 5, 4, 3, 2]

    private func coverage(_ years: [ArchiveStatusReply.Year]) -> [String] {
        guard !years.isEmpty else { return [language("저장된 차트가 없습니다.", "No charts are archived.")] }
        let head = [
            language("연도", "year"), language("차트", "charts"), language("확정", "settled"),
            language("잠정", "provisional"), language("상영작 없음", "no films"), language("실패", "failed"),
        ]
        let wording = ChartWording(language: language)
        let rows = years.map { year in
            [
                year.chart == .daily ? "\(year.year)" : "\(year.year) \(wording.kind(year.chart))",
                (year.settled + year.provisional + year.empty).withSeparators + possible(year),
                year.settled.withSeparators,
                year.provisional.withSeparators, year.empty.withSeparators, year.failed.withSeparators,
            ]
        }
        return presentation.table([head] + rows, priorities: Self.priorities)
    }

    /// How many charts of a year there are so far.
    private func possible(_ year: ArchiveStatusReply.Year) -> String {
        let yesterday = Day.yesterdayInSeoul(secondsSinceEpoch: presentation.now)
        guard let days = ChartPeriod.year(named: "\(year.year)"), days.lowerBound <= yesterday else { return "" }
        let charted = days.clamped(to: Day.firstChart...yesterday)
        let charts = ChartSelection.all(year.chart, in: charted).filter {
            $0.days.lowerBound.components.year == year.year && $0.days.upperBound <= yesterday
        }
        return "/\(charts.count.withSeparators)"
    }

    // MARK: Fills

    /// Of the columns after the range.
    private static let orderPriorities = [5, 2, 6, 4]

    private func orders(_ orders: [ArchiveFillOrder]) -> [String] {
        let head = [
            language("채우기", "fill"), language("번호", "no."), language("차트", "charts"), language("남음", "left"),
            language("실패", "failed"),
        ]
        let rows = orders.map { order in
            [
                "\(range(order)) \(state(order))", "\(order.id)", order.charts.withSeparators,
                order.missing.withSeparators, order.failed.withSeparators,
            ]
        }
        return presentation.table([head] + rows, priorities: Self.orderPriorities)
    }

    private func range(_ order: ArchiveFillOrder) -> String {
        let days =
            order.days.lowerBound == order.days.upperBound
            ? "\(order.days.lowerBound)" : "\(order.days.lowerBound)..\(order.days.upperBound)"
        return order.chart == .daily ? days : "\(days) \(ChartWording(language: language).kind(order.chart))"
    }

    private func state(_ order: ArchiveFillOrder) -> String {
        switch order.state {
        case .waiting: language("대기 중", "waiting")
        case .running: language("진행 중", "running")
        case .quota: language("한도 소진", "out of quota")
        case .paused: language("일시 중지", "paused")
        case .ended: language("완료", "done")
        case .cancelled: language("취소됨", "cancelled")
        }
    }

    // MARK: One fill

    /// - Parameter usable: calls that may be made today; nil when they are not known.
    func estimate(_ estimate: ArchiveEstimateReply, _ question: ArchiveFillRequest, usable: Int?) -> String {
        let (charts, missing) = (estimate.charts.withSeparators, estimate.missing.withSeparators)
        let films = question.details ? estimate.films : 0
        let calls = (estimate.missing + films).withSeparators
        guard estimate.missing + films > 0 else {
            return whole(estimate.charts, hasDetails: question.details)
        }
        let quota = usable.map { calls in
            language("(오늘 사용 가능 \(calls.withSeparators)회)", " of \(calls.withSeparators) usable today")
        }
        let time = question.rate.map { rate in
            let time = duration(estimate.missing + films, rate)
            return language(", 약 \(time)", ", about \(time)")
        }
        let details =
            switch (question.details, estimate.missing) {
            case (false, _): ""
            case (true, 0): language(", 누락된 상세 정보 \(films)건", ", \(films) details missing")
            // A missing chart may have films whose details are missing, too.
            case (true, _):
                language(", 누락된 상세 정보 \(films)건 이상", ", at least \(films) details missing")
            }
        let most = question.details && estimate.missing > 0 ? language("최소", "at least") : language("최대", "at most")
        return language(
            "차트 \(charts)개 중 \(missing)개 없음\(details): \(most) \(calls)회 호출\(quota ?? "")\(time ?? "")",
            "\(charts) charts, \(missing) missing\(details): \(most) \(calls) calls\(quota ?? "")\(time ?? "")")
    }

    /// Nothing is missing.
    private func whole(_ charts: Int, hasDetails: Bool) -> String {
        let count = charts.withSeparators
        let (what, are) = charts == 1 ? ("The chart", hasDetails ? "are" : "is") : ("All \(count) charts", "are")
        return hasDetails
            ? language("차트 \(count)개와 상세 정보가 모두 있습니다.", "\(what) and the details of the films \(are) archived.")
            : language("차트 \(count)개가 모두 있습니다.", "\(what) \(are) archived.")
    }

    private func duration(_ calls: Int, _ rate: CallRate) -> String {
        let seconds = max(1, calls / rate.value)
        return seconds < 120
            ? language("\(seconds)초", "\(seconds) s") : language("\(seconds / 60)분", "\(seconds / 60) min")
    }

    func progress(_ order: ArchiveFillOrder) -> String {
        let (done, all) = ((order.charts - order.missing).withSeparators, order.charts.withSeparators)
        let films =
            order.films > 0 && order.missing == 0
            ? language(", 상세 정보 \(order.films)건 남음", ", \(order.films) details left") : ""
        return "\(range(order)) \(done)/\(all)\(films)" + (order.state == .waiting ? " (\(state(order)))" : "")
    }

    /// How a fill that is no longer followed stands.
    ///
    /// - Parameters:
    ///   - fetched: the charts that it has fetched.
    ///   - films: the details that were missing of charts that were there.
    func end(_ order: ArchiveFillOrder, fetched: Int, films: Int = 0) -> String {
        let (known, all) = ((order.charts - order.missing).withSeparators, order.charts.withSeparators)
        let left = (order.missing + order.films).withSeparators
        switch order.state {
        case .ended where order.failed > 0:
            let failed = order.failed.withSeparators
            return language(
                "\(failed)건을 가져오지 못했습니다\(reason(order)). 다시 실행하면 그것만 가져옵니다.",
                "\(failed) could not be fetched\(reason(order)). Run it again to fetch only those.")
        case .ended:
            let all = whole(order.charts, hasDetails: order.details)
            let (charts, details) = (fetched.withSeparators, films.withSeparators)
            let parts = [
                fetched > 0 ? language("차트 \(charts)개", fetched == 1 ? "1 chart" : "\(charts) charts") : nil,
                // A chart that was missing may have had films whose details were missing, too.
                films > 0 && fetched == 0
                    ? language(
                        "상세 정보 \(details)건", films == 1 ? "the details of 1 film" : "the details of \(details) films")
                    : nil,
            ].compactMap(\.self)
            guard let part = parts.first else { return all }
            return language("\(part.with(.object)) 가져왔습니다. ", "Fetched \(part). ") + all
        case .quota:
            let moment = order.resumesAt.map { ChartWording(language: language).minute($0) }
            return language(
                "오늘의 호출 한도에 이르렀습니다. \(moment ?? "내일 00:05")(한국 시각)에 자동으로 재개합니다(\(left)건 남음).",
                "Today's quota is used up. The fill resumes automatically at \(moment ?? "00:05") KST (\(left) requests remaining)."
            )
        case .paused:
            return language(
                "일시 중지\(reason(order)): 차트 \(all)개 중 \(known)개 있음. 계속하려면: \(Installation.gateway) archive resume",
                "Paused\(reason(order)): \(known) of \(all) charts archived. To continue: \(Installation.gateway) archive resume"
            )
        case .cancelled:
            return language("취소됨: 차트 \(all)개 중 \(known)개 있음", "Cancelled: \(known) of \(all) charts archived")
        case .waiting, .running:
            return language(
                "작업 \(order.id): \(state(order)), \(left)개 남음. 상태 확인: \(Installation.gateway) archive status",
                "Fill \(order.id): \(state(order)), \(left) left. To follow it: \(Installation.gateway) archive status")
        }
    }

    /// Why charts are missing, in brackets; empty when it is not known.
    private func reason(_ order: ArchiveFillOrder) -> String {
        let text: String? =
            switch order.failure {
            case FailureCode.storage: language("디스크에 쓰지 못함", "the disk cannot be written")
            case FailureCode.keyRejected, FailureCode.configuration:
                language("API 키를 확인하세요", "check the API key")
            case FailureCode.notPublished: language("아직 발표되지 않음", "not published yet")
            case nil: nil
            default: language("업스트림이 응답하지 않음", "the upstream does not answer")
            }
        return text.map { language("(\($0))", " (\($0))") } ?? ""
    }
}
