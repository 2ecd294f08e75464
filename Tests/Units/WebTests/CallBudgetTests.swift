import HTTPKit
import Testing

@testable import WebCore

@Suite struct CallBudgetTests {
    private let one = ClientAddress("192.0.2.1")
    private let other = ClientAddress("192.0.2.2")

    @Test func `an address has a fifth of all, and a bucket holds a fifth of a day`() {
        var budget = CallBudget(callsPerDay: 1_000)
        // In all 200 calls at once, 40 for each address.
        #expect(budget.reserve(40, for: one, now: .zero) == nil)
        // 200 calls a day for an address: one in 432 seconds.
        #expect(budget.reserve(1, for: one, now: .zero) == .seconds(432))
        #expect(budget.reserve(1, for: one, now: .seconds(431)) != nil)
        #expect(budget.reserve(1, for: one, now: .seconds(433)) == nil)
        #expect(budget.reserve(40, for: other, now: .seconds(433)) == nil)
        // A client without a limit of its own has what is left of all.
        #expect(budget.reserve(118, for: nil, now: .seconds(433)) == nil)
        #expect(budget.reserve(40, for: nil, now: .seconds(433)) != nil)
    }

    @Test func `unused calls are given back, and further ones are charged`() {
        var budget = CallBudget(callsPerDay: 1_000)
        #expect(budget.reserve(40, for: one, now: .zero) == nil)
        budget.refund(30, to: one)
        #expect(budget.reserve(30, for: one, now: .zero) == nil)
        budget.refund(-5, to: one)
        #expect(budget.reserve(0, for: one, now: .zero) != nil)
    }

    @Test func `spare calls leave enough for a chart with its films`() {
        var budget = CallBudget(callsPerDay: 1_000)
        let spare = 40 - VisitorQueries.Cost.chartWithFilms
        #expect(budget.reserveSpare(upTo: 5, for: one, now: .zero) == 5)
        #expect(budget.reserveSpare(upTo: 28, for: one, now: .zero) == spare - 5)
        #expect(budget.reserveSpare(upTo: 28, for: one, now: .zero) == 0)
        #expect(budget.reserve(VisitorQueries.Cost.chartWithFilms, for: one, now: .zero) == nil)
        #expect(budget.reserveSpare(upTo: 28, for: one, now: .zero) == 0)
        #expect(budget.reserveSpare(upTo: 500, for: nil, now: .zero) == 200 - 40 - VisitorQueries.Cost.chartWithFilms)
        #expect(budget.reserveSpare(upTo: 28, for: other, now: .zero) == 0)
    }

    @Test func `a bucket never holds more than its share`() {
        var budget = CallBudget(callsPerDay: 1_000)
        #expect(budget.reserve(1, for: one, now: .zero) == nil)
        budget.refund(1_000, to: one)
        #expect(budget.reserve(41, for: one, now: .seconds(86_400)) != nil)
        #expect(budget.reserve(40, for: one, now: .seconds(86_400)) == nil)
    }

    @Test(arguments: [21, 66, 500])
    func `also of few calls a day, a chart with its films can be had`(callsPerDay: Int) {
        for client in [one, nil] {
            var budget = CallBudget(callsPerDay: callsPerDay)
            #expect(budget.reserve(VisitorQueries.Cost.chartWithFilms, for: client, now: .zero) == nil)
        }
    }

    @Test func `a budget of none allows what costs nothing`() {
        var budget = CallBudget(callsPerDay: 0)
        #expect(budget.reserve(1, for: one, now: .seconds(1_000_000)) == .seconds(86_400))
        #expect(budget.reserve(0, for: one, now: .zero) == nil)
    }

    @Test func `time that steps back adds nothing`() {
        var budget = CallBudget(callsPerDay: 1_000)
        #expect(budget.reserve(40, for: one, now: .seconds(1_000)) == nil)
        #expect(budget.reserve(1, for: one, now: .zero) != nil)
    }

    @Test func `addresses beyond the bound share one bucket`() {
        var budget = CallBudget(callsPerDay: 1_000_000)
        func address(_ number: Int) -> ClientAddress? {
            ClientAddress("10.\(number >> 16).\(number >> 8 & 255).\(number & 255)")
        }
        for number in 0..<4096 { #expect(budget.reserve(1, for: address(number), now: .zero) == nil) }
        #expect(budget.reserve(40_000, for: address(5000), now: .zero) == nil)
        #expect(budget.reserve(1, for: address(5001), now: .zero) != nil)
        #expect(budget.reserve(1, for: address(1), now: .zero) == nil)
        // Full buckets are forgotten, which makes room.
        #expect(budget.reserve(40_000, for: address(5002), now: .seconds(86_400)) == nil)
    }
}
