import Assembly
import DequeModule
import Synchronization

/// The explanations of the last queries, bounded in number and in size.
final class ExplanationStore: Sendable {
    /// A query's explanation and the page that it answered.
    struct Record: Sendable {
        let explanation: QueryExplanation
        let page: PageAddress
        /// The titles of the films that it is about, by code.
        var titles: [String: String] = [:]

        /// An estimate in bytes: a step has some twenty fields and a few short texts.
        var cost: Int { 300 + 400 * explanation.steps.count + titles.reduce(0) { $0 + 100 + $1.value.utf8.count } }
    }

    private struct Ring {
        var records: [String: Record] = [:]
        /// The oldest first.
        var order: Deque<String> = []
        var cost = 0
    }

    private let maxRecords: Int
    private let maxCost: Int
    private let ring = Mutex(Ring())

    /// - Parameter maxCost: in bytes, approximately.
    init(maxRecords: Int = 1000, maxCost: Int = 8 << 20) {
        self.maxRecords = maxRecords
        self.maxCost = maxCost
    }

    func insert(_ record: Record, query: String) {
        ring.withLock { ring in
            guard ring.records[query] == nil else { return }
            ring.records[query] = record
            ring.order.append(query)
            ring.cost += record.cost
            while ring.order.count > maxRecords || ring.cost > maxCost, let oldest = ring.order.popFirst() {
                ring.cost -= ring.records.removeValue(forKey: oldest)?.cost ?? 0
            }
        }
    }

    /// The latest first.
    func latest(_ count: Int) -> [(id: String, record: Record)] {
        ring.withLock { ring in
            ring.order.suffix(count).reversed().compactMap { id in ring.records[id].map { (id, $0) } }
        }
    }

    /// Nil for an unknown query, and for one that is too long ago.
    subscript(query: String) -> Record? { ring.withLock { $0.records[query] } }
}
