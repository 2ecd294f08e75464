import Contracts
import Domain
import Envelope
import Localization
import TerminalText
import TestSupport
import Testing

@testable import Assembly

@Suite struct ShowAssemblyTests {
    private static let slots: [ShowAssembly.Slot] = [.detail(0), .poster(0), .detail(1), .poster(1)]

    private func value(_ slot: ShowAssembly.Slot) -> PartOutcome {
        Samples.ok(Array("{\"\(slot.part.name)\":\(slot.film)}".utf8))
    }

    private func empty(chart: PartOutcome = Samples.ok([])) -> ShowAssembly {
        ShowAssembly(.daily(Samples.date), chart: chart, codes: ["20199882", "2023C632"])
    }

    private func permutations(_ slots: [ShowAssembly.Slot]) -> [[ShowAssembly.Slot]] {
        guard !slots.isEmpty else { return [[]] }
        return slots.flatMap { first in permutations(slots.filter { $0 != first }).map { [first] + $0 } }
    }

    @Test func `parts may arrive in any order, and the last one completes the answer`() {
        var results: [[ShowAssembly.Film]] = []
        for order in permutations(Self.slots) {
            var assembly = empty()
            for (count, slot) in order.enumerated() {
                #expect(!assembly.isComplete)
                #expect(Set(assembly.missing) == Set(order[count...]))
                assembly.receive(value(slot), for: slot)
            }
            #expect(assembly.isComplete)
            #expect(assembly.missing.isEmpty)
            #expect(assembly.parts.count == 5)
            results.append(assembly.films)
        }
        #expect(results.count == 24)
        #expect(results.allSatisfy { $0 == results.first })
        #expect(results.first?.first?.detail == value(.detail(0)))
        #expect(results.first?.last?.poster == value(.poster(1)))
    }

    @Test(arguments: slots)
    func `a slot is filled once: a second part is ignored`(slot: ShowAssembly.Slot) {
        var assembly = empty()
        assembly.receive(value(slot), for: slot)
        let once = assembly.films
        assembly.receive(.failed(Samples.timeout), for: slot)
        #expect(assembly.films == once)
    }

    @Test(arguments: slots)
    func `one part that is not ok makes the answer incomplete`(bad: ShowAssembly.Slot) {
        for outcome in [
            PartOutcome.failed(Samples.timeout),
            .failed(Failure(.notFound, LocalizedText(ko: "", en: ""), isRetryable: false)),
            .stale([1], failure: nil, cache: nil, sender: nil),
        ] {
            var assembly = empty()
            for slot in Self.slots { assembly.receive(slot == bad ? outcome : value(slot), for: slot) }
            #expect(assembly.missing.isEmpty)
            #expect(!assembly.isComplete)
        }
    }

    @Test func `a chart that is not ok makes the answer incomplete`() {
        let stale = PartOutcome.stale([1], failure: nil, cache: nil, sender: nil)
        for chart in [stale, .failed(Samples.timeout)] {
            var assembly = empty(chart: chart)
            for slot in Self.slots { assembly.receive(value(slot), for: slot) }
            #expect(!assembly.isComplete)
        }
        #expect(!ShowAssembly(.daily(Samples.date), chart: .failed(Samples.timeout), codes: []).isComplete)
    }

    @Test func `a passed deadline gives timeout, any other failure gives failed`() {
        #expect(PartOutcome.failed(Samples.timeout).status == .timeout)
        let lost = Failure(.workerLost, LocalizedText(ko: "", en: ""), isRetryable: true)
        #expect(PartOutcome.failed(lost).status == .failed)
        #expect(PartOutcome.failed(lost).value == nil)
    }
}
