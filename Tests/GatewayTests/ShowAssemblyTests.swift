import Contracts
import Envelope
import TerminalText
import Testing

@testable import GatewayCore

@Suite struct ShowAssemblyTests {
    private static let slots: [ShowAssembly.Slot] = [.detail(0), .poster(0), .detail(1), .poster(1)]

    private func value(_ slot: ShowAssembly.Slot) -> PartOutcome {
        switch slot {
        case .detail(let index): Samples.ok(Array("{\"detail\":\(index)}".utf8))
        case .poster(let index): Samples.ok(Array("{\"poster\":\(index)}".utf8))
        }
    }

    private func empty(chart: PartOutcome = Samples.ok([])) -> ShowAssembly {
        ShowAssembly(chart: chart, codes: ["20199882", "2023C632"])
    }

    private func permutations(_ slots: [ShowAssembly.Slot]) -> [[ShowAssembly.Slot]] {
        guard !slots.isEmpty else { return [[]] }
        return slots.flatMap { first in permutations(slots.filter { $0 != first }).map { [first] + $0 } }
    }

    @Test func `parts may arrive in any order, and it is complete with the last`() {
        var results: [[ShowAssembly.Film]] = []
        for order in permutations(Self.slots) {
            var assembly = empty()
            for (count, slot) in order.enumerated() {
                #expect(!assembly.isComplete)
                #expect(Set(assembly.missing) == Set(order[count...]))
                assembly.arrived(value(slot), for: slot)
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

    @Test("A part that does not decode is missing with a label, and the others are shown", arguments: slots)
    func unreadablePart(slot: ShowAssembly.Slot) throws {
        var assembly = ShowAssembly(chart: Samples.ok(try Samples.chart("a", "b")), codes: ["20199880", "20199881"])
        for other in Self.slots where other != slot {
            switch other {
            case .detail: assembly.arrived(try Samples.okFilm(), for: other)
            case .poster: assembly.arrived(Samples.ok(try Samples.poster()), for: other)
            }
        }
        assembly.arrived(Samples.ok(Array(#"{"directors":7"#.utf8)), for: slot)
        for format in [AnswerFormat.text, .records(.csv, nil)] {
            var presentation = Samples.presentation(language: .en)
            presentation.format = format
            let answer = try presentation.show(assembly, date: Samples.date)
            #expect(answer.exitStatus == 0)
            let text = String(decoding: answer.output, as: UTF8.self)
            #expect(text.contains("unreadable") || text.contains("failed"), "\(text)")
            #expect(text.contains("이규만") && text.contains("네이버블로그"))
        }
        var strict = Samples.presentation()
        strict.isStrict = true
        #expect(try strict.show(assembly, date: Samples.date).exitStatus == 75)
    }

    @Test("A chart that does not decode is the whole answer, and no defect of this program")
    func unreadableChart() throws {
        let assembly = ShowAssembly(chart: Samples.ok([0x7B]), codes: ["20199880"])
        let answer = try Samples.presentation(language: .en).show(assembly, date: Samples.date)
        #expect(answer.exitStatus == 65 && answer.output.isEmpty && answer.notes.count == 1)
    }

    @Test(arguments: slots)
    func `a slot is filled once: what comes second is ignored`(slot: ShowAssembly.Slot) {
        var assembly = empty()
        assembly.arrived(value(slot), for: slot)
        let once = assembly.films
        assembly.arrived(.failed(Samples.timeout), for: slot)
        #expect(assembly.films == once)
    }

    @Test(arguments: slots)
    func `one part that is not ok makes it incomplete`(bad: ShowAssembly.Slot) {
        for outcome in [
            PartOutcome.failed(Samples.timeout),
            .failed(Failure(.notFound, LocalizedText(ko: "", en: ""), isRetryable: false)),
            .stale([1], failure: nil, cache: nil, sender: nil),
        ] {
            var assembly = empty()
            for slot in Self.slots { assembly.arrived(slot == bad ? outcome : value(slot), for: slot) }
            #expect(assembly.missing.isEmpty)
            #expect(!assembly.isComplete)
        }
    }

    @Test func `a chart that is not ok makes it incomplete`() {
        let stale = PartOutcome.stale([1], failure: nil, cache: nil, sender: nil)
        for chart in [stale, .failed(Samples.timeout)] {
            var assembly = empty(chart: chart)
            for slot in Self.slots { assembly.arrived(value(slot), for: slot) }
            #expect(!assembly.isComplete)
        }
        #expect(!ShowAssembly(chart: .failed(Samples.timeout), codes: []).isComplete)
    }

    @Test func `a deadline is a timeout, any other failure is failed`() {
        #expect(PartOutcome.failed(Samples.timeout).status == .timeout)
        let lost = Failure(.workerLost, LocalizedText(ko: "", en: ""), isRetryable: true)
        #expect(PartOutcome.failed(lost).status == .failed)
        #expect(PartOutcome.failed(lost).value == nil)
    }
}
