/// The changes between two states of one chart: KOBIS corrects its counts for hours, sometimes later.
public struct ChartRevision: Sendable, Equatable {
    /// A film of both states with different figures.
    public struct Change: Sendable, Equatable {
        public let code: String
        public let audience: Int
        public let sales: Int64
        /// Ranks climbed by the correction.
        public let ranks: Int
    }

    /// In the order of the rows of the new state.
    public let changes: [Change]
    /// The codes of added films, and of removed films.
    public let entered: [String]
    public let left: [String]

    /// Nil when no counted figure differs.
    public init?(from old: Chart, to new: Chart) {
        let before = Dictionary(old.entries.map { ($0.code, $0) }, uniquingKeysWith: { first, _ in first })
        let after = Set(new.entries.map(\.code))
        changes = new.entries.compactMap { entry in
            before[entry.code].flatMap { Change(from: $0, to: entry) }
        }
        entered = new.entries.map(\.code).filter { before[$0] == nil }
        left = old.entries.map(\.code).filter { !after.contains($0) }
        if changes.isEmpty, entered.isEmpty, left.isEmpty { return nil }
    }
}

extension ChartRevision.Change {
    fileprivate init?(from old: ChartEntry, to new: ChartEntry) {
        code = new.code
        // Upstream answers may contain any number.
        audience = new.audience.subtractingReportingOverflow(old.audience).partialValue
        sales = new.salesAmount.subtractingReportingOverflow(old.salesAmount).partialValue
        ranks = old.rank.subtractingReportingOverflow(new.rank).partialValue
        if audience == 0, sales == 0, ranks == 0 { return nil }
    }
}
