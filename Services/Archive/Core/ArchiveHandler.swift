import Contracts
import Domain
import Envelope
import Localization
import MessageBus
import ServiceKit
import Storage

/// Answers the archive's requests.
struct ArchiveHandler: Sendable {
    /// What is left of a request's time for reading the archive after its fetches.
    private static let readingTime: Duration = .milliseconds(200)

    let archive: Archive
    let collector: ChartCollector

    func answer(_ request: IncomingRequest) async throws -> ServiceAnswer {
        do {
            switch request.envelope.header.kind {
            case ArchiveChartsRequest.kind:
                return try await charts(
                    JSONBytes.decode(ArchiveChartsRequest.self, from: request.envelope.payload), request)
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
        let (selections, next) = question.page
        var calls = 0
        var known = try await charts(question, of: selections)
        let wanted = zip(selections, known).filter { !$1.state.isFinal }.map(\.0).prefix(question.calls.value)
        if question.asOf == nil, !wanted.isEmpty {
            calls = try await collector.fetch(
                Array(wanted), trace: request.trace, deadline: request.deadline - Self.readingTime)
            known = try await charts(question, of: selections)
        }
        var answer = try ServiceAnswer.json(ArchiveChartsReply(charts: known, next: next, calls: calls))
        answer.source = known.compactMap(\.source).min()
        answer.attributes["charts"] = .number(known.count)
        return answer
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
    static func archiveUnusable(_ error: StorageError) -> Failure {
        Failure(
            .storage,
            LocalizedText(
                ko: "아카이브를 읽거나 쓰지 못했습니다(\(error)). 디스크를 확인하고 다시 시도하세요.",
                en: "The archive cannot be read or written (\(error)). Check the disk and try again."),
            isRetryable: error.isRetryable)
    }
}
