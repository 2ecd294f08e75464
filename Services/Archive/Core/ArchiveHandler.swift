import ArchiveMachine
import Contracts
import Domain
import Envelope
import Localization
import MessageBus
import ProcessKit
import ServiceKit
import Storage

/// Answers the archive's requests.
struct ArchiveHandler: Sendable {
    /// What is left of a request's time for reading the archive after its fetches.
    static let readingTime: Duration = .milliseconds(200)

    let archive: Archive
    let collector: ChartCollector
    let films: FilmCollector
    let filler: ArchiveFiller
    let clock: WallClock

    func answer(_ request: IncomingRequest) async throws -> ServiceAnswer {
        do {
            switch request.envelope.header.kind {
            case ArchiveChartsRequest.kind:
                return try await charts(
                    JSONBytes.decode(ArchiveChartsRequest.self, from: request.envelope.payload), request)
            case ArchiveRunRequest.kind:
                return try await run(
                    JSONBytes.decode(ArchiveRunRequest.self, from: request.envelope.payload), request)
            case ArchiveEditionsRequest.kind:
                return try await editions(
                    JSONBytes.decode(ArchiveEditionsRequest.self, from: request.envelope.payload))
            case ArchiveEstimateRequest.kind:
                let question = try JSONBytes.decode(ArchiveEstimateRequest.self, from: request.envelope.payload)
                return try .json(
                    await filler.estimate(question.chart, in: charted(question.chart, question.days)))
            case ArchiveFillRequest.kind:
                let question = try JSONBytes.decode(ArchiveFillRequest.self, from: request.envelope.payload)
                return try .json(await filler.order(question, in: charted(question.chart, question.days)))
            case ArchiveFillChangeRequest.kind:
                let question = try JSONBytes.decode(ArchiveFillChangeRequest.self, from: request.envelope.payload)
                guard try await filler.change(question) else { throw Failure.noOrder }
                return try .json(await filler.status())
            case ArchiveOrderRequest.kind:
                let question = try JSONBytes.decode(ArchiveOrderRequest.self, from: request.envelope.payload)
                guard let order = try await filler.order(question.order) else { throw Failure.noOrder }
                return try .json(order)
            case ArchiveStatusRequest.kind: return try .json(await filler.status())
            case ArchiveTopRequest.kind:
                return try await top(
                    JSONBytes.decode(ArchiveTopRequest.self, from: request.envelope.payload), request)
            case ArchiveShareRequest.kind:
                return try await share(
                    JSONBytes.decode(ArchiveShareRequest.self, from: request.envelope.payload), request)
            case ArchiveRecordsRequest.kind:
                return try await records(
                    JSONBytes.decode(ArchiveRecordsRequest.self, from: request.envelope.payload), request)
            case ArchiveNewRequest.kind:
                return try await entries(
                    JSONBytes.decode(ArchiveNewRequest.self, from: request.envelope.payload), request)
            case ArchiveLeadersRequest.kind:
                return try await leaders(
                    JSONBytes.decode(ArchiveLeadersRequest.self, from: request.envelope.payload), request)
            case ArchiveTitlesRequest.kind:
                let question = try JSONBytes.decode(ArchiveTitlesRequest.self, from: request.envelope.payload)
                return try .json(await archive.films(await collector.world.world, titled: question.text))
            case ArchivePersonRequest.kind:
                let question = try JSONBytes.decode(ArchivePersonRequest.self, from: request.envelope.payload)
                return try .json(await archive.films(await collector.world.world, of: question.name))
            default:
                throw Failure.unknownKind(request.envelope.header.kind, service: ServiceName.archive)
            }
        } catch let error as StorageError {
            throw Failure.archiveUnusable(error)
        }
    }

    /// A page of charts; those that are not final are fetched first, as far as the request allows.
    private func charts(_ question: ArchiveChartsRequest, _ request: IncomingRequest) async throws -> ServiceAnswer {
        guard question.first <= question.last else {
            throw Failure.malformedEnvelope("a range that ends before it starts")
        }
        let selections = question.selections
        var calls = 0
        var known = try await charts(question, of: selections)
        let possible = possibleDays(question.chart)
        let wanted = zip(selections, known).filter { !$1.state.isFinal && possible.overlaps($0.days) }.map(\.0)
            .prefix(question.calls.value)
        if question.asOf == nil, !wanted.isEmpty {
            calls = try await collector.fetch(
                Array(wanted), trace: request.trace, deadline: request.deadline - Self.readingTime)
            known = try await charts(question, of: selections)
        }
        var answer = try ServiceAnswer.json(ArchiveChartsReply(charts: known, calls: calls))
        answer.source = known.compactMap(\.source).min()
        answer.attributes["charts"] = .number(known.count)
        return answer
    }

    private func editions(_ question: ArchiveEditionsRequest) async throws -> ServiceAnswer {
        let day = question.chart.days(around: question.day).lowerBound
        let known = try await archive.charts(await collector.world.world, question.chart, in: day...day).first
        guard let known, let source = known.source else {
            return try .json(ArchiveEditionsReply(state: .unknown, source: nil, failure: nil, editions: []))
        }
        let editions = try await archive.editions(of: ChartKey(source, question.chart, day))
            .suffix(ArchiveEditionsRequest.maxEditions)
            .map {
                ArchiveEditionsReply.Edition(firstSeen: $0.firstSeen, lastSeen: $0.lastSeen, entries: $0.entries)
            }
        var answer = try ServiceAnswer.json(
            ArchiveEditionsReply(state: known.state, source: source, failure: known.failure, editions: editions))
        answer.source = source
        return answer
    }

    /// The days with charts of a range: a message may contain any days.
    func charted(_ kind: ChartKind, _ days: ClosedRange<Day>) throws -> ClosedRange<Day> {
        let possible = possibleDays(kind)
        guard days.overlaps(possible) else { throw Failure.malformedEnvelope("a range without charts") }
        return days.clamped(to: possible)
    }

    func possibleDays(_ kind: ChartKind) -> ClosedRange<Day> {
        kind.chartedDays(until: Day.yesterdayInSeoul(secondsSinceEpoch: clock.now()))
    }

    /// One for each selection, unknown ones as well.
    private func charts(
        _ question: ArchiveChartsRequest, of selections: [ChartSelection]
    ) async throws -> [ArchivedChart] {
        guard let first = selections.first, let last = selections.last else { return [] }
        let found = try await archive.charts(
            await collector.world.world, question.chart, in: first.days.lowerBound...last.days.lowerBound,
            asOf: question.asOf)
        let byDay = Dictionary(found.map { ($0.date, $0) }, uniquingKeysWith: { first, _ in first })
        return selections.map { byDay[$0.days.lowerBound] ?? .unknown($0.days.lowerBound) }
    }
}

extension Failure {
    static let noOrder = Failure(
        .notFound,
        LocalizedText(
            ko: "해당하는 채우기 작업이 없습니다. 목록 확인: \(Installation.gateway) archive status",
            en: "There is no such fill. To list fills: \(Installation.gateway) archive status"),
        isRetryable: false)

    static let tooManyOrders = Failure(
        .busy,
        LocalizedText(
            ko: "끝나지 않은 채우기 작업이 너무 많습니다. \(Installation.gateway) archive cancel로 필요 없는 작업을 취소하세요.",
            en:
                "There are too many open fills. Cancel those that are not needed: \(Installation.gateway) archive cancel"
        ),
        isRetryable: false)

    static func archiveUnusable(_ error: StorageError) -> Failure {
        Failure(
            .storage,
            LocalizedText(
                ko: "아카이브를 읽거나 쓰지 못했습니다(\(error)). 디스크를 확인하고 다시 시도하세요.",
                en: "The archive cannot be read or written (\(error)). Check the disk and try again."),
            isRetryable: error.isRetryable)
    }
}
