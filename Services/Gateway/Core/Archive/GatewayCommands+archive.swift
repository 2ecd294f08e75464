import Contracts
import Domain
import Envelope
import Inspection
import Localization
import MessageBus
import ProcessKit

extension GatewayCommands {
    /// How often a fill that is followed is asked for: an event may be lost, and each answer costs the archive a lookup.
    private static let followInterval: Duration = .milliseconds(100)
    private static let requestLimit: Duration = .seconds(5)

    func archiveStatus() async throws -> Answer {
        try answer(to: await askArchive(ArchiveStatusRequest.kind, [UInt8]()))
    }

    func changeFills(_ change: ArchiveFillChangeRequest.Change, _ order: Int?) async throws -> Answer {
        let question = ArchiveFillChangeRequest(change, order: order)
        return try answer(to: await askArchive(ArchiveFillChangeRequest.kind, JSONBytes.encode(question)))
    }

    private func answer(to bytes: [UInt8]) throws -> Answer {
        if presentation.isJSON { return Answer(output: bytes) }
        let status = try JSONBytes.decode(ArchiveStatusReply.self, from: bytes)
        return Answer(lines: ArchiveText(presentation).lines(status))
    }

    /// Orders the archive to fetch what it lacks of a range, and follows the order until it ends or waits.
    ///
    /// When it is cancelled, it pauses the order.
    func fill(
        _ question: ArchiveFillRequest, isDryRun: Bool, isDetached: Bool, progress: FillProgress
    ) async throws -> Answer {
        let text = ArchiveText(presentation)
        let estimate = try JSONBytes.decode(
            ArchiveEstimateReply.self,
            from: await askArchive(
                ArchiveEstimateRequest.kind, JSONBytes.encode(ArchiveEstimateRequest(question.chart, question.days))))
        let line = text.estimate(estimate, question, usable: try await usableCalls())
        if isDryRun {
            return presentation.isJSON ? Answer(output: try JSONBytes.encode(estimate)) : Answer(lines: [line])
        }
        // When nothing is missing, the end says the same.
        if estimate.missing > 0 { progress.note(line) }
        var order = try JSONBytes.decode(
            ArchiveFillOrder.self, from: await askArchive(ArchiveFillRequest.kind, JSONBytes.encode(question)))
        do {
            while !isDetached, order.state == .running || order.state == .waiting {
                progress.show(order, text.progress(order))
                try await Task.sleep(for: Self.followInterval)
                order = try await latest(order)
            }
        } catch is CancellationError {
            // The pause must be sent although this task is cancelled.
            order = await Task { [order] in await paused(order) }.value
        }
        progress.erase()
        let exitStatus =
            switch order.state {
            case .quota, .paused: ExitStatus.temporary
            case .ended where order.failed > 0: ExitStatus.temporary
            case .waiting, .running, .ended, .cancelled: ExitStatus.complete
            }
        if presentation.isJSON { return Answer(output: try JSONBytes.encode(order), exitStatus: exitStatus) }
        return Answer(
            lines: [
                text.end(
                    order, fetched: max(0, estimate.missing - order.missing),
                    films: question.details ? max(0, estimate.films - order.films) : 0)
            ], exitStatus: exitStatus)
    }

    private func latest(_ order: ArchiveFillOrder) async throws -> ArchiveFillOrder {
        try JSONBytes.decode(
            ArchiveFillOrder.self,
            from: await askArchive(ArchiveOrderRequest.kind, JSONBytes.encode(ArchiveOrderRequest(order.id))))
    }

    /// An archive that does not answer goes on with the order: it is shown as it was.
    private func paused(_ order: ArchiveFillOrder) async -> ArchiveFillOrder {
        do {
            let question = ArchiveFillChangeRequest(.pause, order: order.id)
            _ = try await askArchive(ArchiveFillChangeRequest.kind, JSONBytes.encode(question))
            return try await latest(order)
        } catch {
            return order
        }
    }

    /// The calls of KOBIS that a fill may make today; nil when none were counted yet.
    private func usableCalls() async throws -> Int? {
        let bytes = try await bus.ask(ServiceName.cacheStore, QuotaListRequest.kind, deadline: deadline)
        let accounts = try JSONBytes.decode(QuotaListReply.self, from: bytes).accounts
        return accounts.filter { $0.upstream == "KOBIS" }.map { account in
            max(0, account.left - RequestClass.background.reserve(of: CallLimit(clamping: account.limit)))
        }.max()
    }

    private func askArchive(_ kind: String, _ payload: [UInt8]) async throws -> [UInt8] {
        try await bus.ask(ServiceName.archive, kind, payload: payload, deadline: .now + Self.requestLimit)
    }
}
