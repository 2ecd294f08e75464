import HTTPKit
import Testing

@testable import WebCore

@Suite struct CallBudgetTests {
    private let one = ClientAddress("192.0.2.1")
    private let other = ClientAddress("192.0.2.2")

    @Test func `an address has a fifth of all, and a bucket holds a fifth of a day`() {
        var budget = CallBudget(callsPerDay: 500)
        // In all 100 calls at once, 20 for each address.
        #expect(budget.reserve(20, for: one, now: .zero) == nil)
        // 100 calls a day for an address: one in 864 seconds.
        #expect(budget.reserve(1, for: one, now: .zero) == .seconds(864))
        #expect(budget.reserve(1, for: one, now: .seconds(863)) != nil)
        #expect(budget.reserve(1, for: one, now: .seconds(865)) == nil)
        #expect(budget.reserve(20, for: other, now: .seconds(865)) == nil)
        // A client without a limit of its own has what is left of all.
        #expect(budget.reserve(58, for: nil, now: .seconds(865)) == nil)
        #expect(budget.reserve(20, for: nil, now: .seconds(865)) != nil)
    }

    @Test func `unused calls are given back, and further ones are charged`() {
        var budget = CallBudget(callsPerDay: 500)
        #expect(budget.reserve(20, for: one, now: .zero) == nil)
        budget.refund(15, to: one)
        #expect(budget.reserve(15, for: one, now: .zero) == nil)
        budget.refund(-5, to: one)
        #expect(budget.reserve(0, for: one, now: .zero) != nil)
    }

    @Test func `a bucket never holds more than its share`() {
        var budget = CallBudget(callsPerDay: 500)
        #expect(budget.reserve(1, for: one, now: .zero) == nil)
        budget.refund(1_000, to: one)
        #expect(budget.reserve(21, for: one, now: .seconds(86_400)) != nil)
        #expect(budget.reserve(20, for: one, now: .seconds(86_400)) == nil)
    }

    @Test func `a budget of none allows what costs nothing`() {
        var budget = CallBudget(callsPerDay: 0)
        #expect(budget.reserve(1, for: one, now: .seconds(1_000_000)) == .seconds(86_400))
        #expect(budget.reserve(0, for: one, now: .zero) == nil)
    }

    @Test func `time that steps back adds nothing`() {
        var budget = CallBudget(callsPerDay: 500)
        #expect(budget.reserve(20, for: one, now: .seconds(1_000)) == nil)
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
