import Contracts
import Domain
import Envelope
import GRDB

/// An order to fill, as a row keeps it. What is left to do is not in it: that is the charts of its range that are neither
/// settled nor empty.
struct FillOrder: Sendable, Equatable {
    enum State: String, Sendable {
        case open, paused, ended, cancelled
    }

    let id: Int64
    let chart: ChartKind
    let days: ClosedRange<Day>
    /// Whether the details of the charts' films are fetched after them.
    let details: Bool
    let rate: CallRate?
    var state: State
    /// The charts that were left as failed.
    var failed = 0
    var failure: FailureCode?

    var charts: Int { ChartSelection.count(chart, in: days) }
}

extension Archive {
    private static let orderColumns = "id, kind, firstDay, lastDay, rate, state, failed, failure, details"
    /// The number of ended orders that are kept.
    private static let keptOrders = 20
    /// Open and paused ones: a message may order anything.
    private static let openOrders = 50

    /// The open order for the same charts, which goes on, or a new one; nil when there are too many.
    func order(_ question: ArchiveFillRequest, now: Int64) async throws -> FillOrder? {
        try await write { db in
            let arguments: StatementArguments = [
                question.chart.rawValue, question.days.lowerBound.iso, question.days.upperBound.iso,
            ]
            let known = try Int64.fetchOne(
                db,
                sql: """
                    SELECT id FROM fill_order
                    WHERE kind = ? AND firstDay = ? AND lastDay = ? AND state IN ('open', 'paused')
                    """, arguments: arguments)
            if let known {
                try db.execute(
                    sql: """
                        UPDATE fill_order SET state = 'open', rate = ?, details = max(details, ?), failure = NULL
                        WHERE id = ?
                        """,
                    arguments: [question.rate?.value, question.details, known])
                return try Self.orders(db, "id = ?", [known]).first
            }
            let open = try Int.fetchOne(db, sql: "SELECT count(*) FROM fill_order WHERE state IN ('open', 'paused')")
            guard open ?? 0 < Self.openOrders else { return nil }
            try db.execute(
                sql: """
                    INSERT INTO fill_order (kind, firstDay, lastDay, rate, details, state, failed, requestedAt)
                    VALUES (?, ?, ?, ?, ?, 'open', 0, ?)
                    """, arguments: arguments + [question.rate?.value, question.details, now])
            let id = db.lastInsertedRowID
            try db.execute(
                sql: """
                    DELETE FROM fill_order WHERE state IN ('ended', 'cancelled') AND id NOT IN
                        (SELECT id FROM fill_order WHERE state IN ('ended', 'cancelled') ORDER BY id DESC LIMIT ?)
                    """, arguments: [Self.keptOrders])
            return try Self.orders(db, "id = ?", [id]).first
        }
    }

    /// Nil for an order that is not kept.
    func order(_ id: Int64) async throws -> FillOrder? {
        try await read { try Self.orders($0, "id = ?", [id]).first }
    }

    /// The open order that is next; nil when there is none.
    func nextOrder() async throws -> FillOrder? {
        try await read { try Self.orders($0, "state = 'open'", []).first }
    }

    /// The open and paused orders, the oldest first, then the latest ones that have ended.
    func orders() async throws -> [FillOrder] {
        try await read { db in
            try Self.orders(db, "state IN ('open', 'paused')", [])
                + Self.orders(db, "state IN ('ended', 'cancelled')", []).suffix(3)
        }
    }

    func update(_ order: FillOrder) async throws {
        try await write { db in
            // An order that has been cancelled meanwhile stays cancelled.
            try db.execute(
                sql: """
                    UPDATE fill_order SET state = ?, failed = ?, failure = ? WHERE id = ? AND state IN ('open', 'paused')
                    """,
                arguments: [order.state.rawValue, order.failed, order.failure?.rawValue, order.id])
        }
    }

    /// - Parameter id: nil for all open orders.
    /// - Returns: whether there was an order to change.
    func change(_ change: ArchiveFillChangeRequest.Change, order id: Int?) async throws -> Bool {
        let (state, from) =
            switch change {
            case .pause: (FillOrder.State.paused, "state = 'open'")
            case .resume: (FillOrder.State.open, "state = 'paused'")
            case .cancel: (FillOrder.State.cancelled, "state IN ('open', 'paused')")
            }
        return try await write { db in
            try db.execute(
                sql: "UPDATE fill_order SET state = ? WHERE \(from) AND (? IS NULL OR id = ?)",
                arguments: [state.rawValue, id, id])
            return db.changesCount > 0
        }
    }

    private static func orders(
        _ db: Database, _ condition: String, _ arguments: StatementArguments
    ) throws -> [FillOrder] {
        let rows = try Row.fetchAll(
            db, sql: "SELECT \(orderColumns) FROM fill_order WHERE \(condition) ORDER BY id", arguments: arguments)
        return rows.compactMap { row in
            let (rate, failure): (Int?, String?) = (row[4], row[7])
            guard let chart = ChartKind(rawValue: row[1]), let first = Day(iso: row[2] as String),
                let last = Day(iso: row[3] as String), first <= last, let state = FillOrder.State(rawValue: row[5])
            else { return nil }
            return FillOrder(
                id: row[0], chart: chart, days: first...last, details: row[8],
                rate: rate.map { CallRate(clamping: $0) }, state: state,
                failed: row[6], failure: failure.map(FailureCode.init(rawValue:)))
        }
    }
}
