import Domain
import Testing

@testable import Assembly
@testable import WebCore

@Suite struct ExplanationStoreTests {
    private let record = ExplanationStore.Record(explanation: QueryExplanation([], wall: .zero), page: .records())

    @Test func `the oldest records make room for new ones`() {
        let store = ExplanationStore(maxRecords: 3)
        for query in ["a", "b", "c", "d"] { store.insert(record, query: query) }
        #expect(store["a"] == nil && store["b"] != nil && store["d"]?.page == .records())
    }

    @Test func `they are bounded in size, too`() {
        let store = ExplanationStore(maxCost: 2 * record.cost)
        for query in ["a", "b", "c"] { store.insert(record, query: query) }
        #expect(store["a"] == nil && store["b"] != nil && store["c"] != nil)
    }

    @Test func `a query is recorded once`() {
        let store = ExplanationStore(maxRecords: 2)
        for query in ["a", "a", "a", "b"] { store.insert(record, query: query) }
        #expect(store["a"] != nil && store["b"] != nil)
    }
}
