import ArchiveMachine
import Contracts
import Domain
import Envelope
import Testing

@Suite("Filling the archive")
struct FillStateMachineTests {
    /// 2026-01-01 09:00 in Seoul.
    private let date: Double = 1_767_225_600
    private let days = (0..<10).map { FillItem.chart(.daily("2025-12-01".day.advanced(by: $0))) }

    private func machine(_ count: Int, _ change: (inout FillStateMachine.Configuration) -> Void = { _ in })
        -> FillStateMachine
    {
        var configuration = FillStateMachine.Configuration()
        configuration.perSecond = nil
        change(&configuration)
        return FillStateMachine(Array(days.prefix(count)), configuration: configuration)
    }

    @Test("Four charts are fetched at a time, in the order of the days, each once")
    func concurrency() {
        var machine = machine(6)
        #expect(machine.ticked(now: .zero, date: date) == days[0..<4].map { .fetch($0) })
        #expect(machine.received(.archived, for: days[1], now: .zero, date: date) == [.fetch(days[4])])
        #expect(machine.received(.archived, for: days[1], now: .zero, date: date).isEmpty)
        #expect(machine.left == 5)
        for day in [0, 2, 3, 4] { _ = machine.received(.archived, for: days[day], now: .zero, date: date) }
        #expect(machine.received(.archived, for: days[5], now: .zero, date: date) == [.ended(failed: 0)])
        #expect(machine.ticked(now: .seconds(9), date: date).isEmpty)
    }

    @Test("The next fetch begins while an answer is archived, and a slow disk holds the fetches up")
    func archiving() {
        var machine = machine(10)
        _ = machine.ticked(now: .zero, date: date)
        for day in 0..<4 {
            #expect(machine.answered(days[day], now: .zero, date: date) == [.fetch(days[day + 4])])
        }
        #expect(machine.answered(days[4], now: .zero, date: date).isEmpty)
        #expect(machine.nextMoment(now: .zero, date: date) == nil && machine.left == 10)
        #expect(machine.received(.archived, for: days[0], now: .zero, date: date) == [.fetch(days[8])])
        #expect(machine.answered(days[1], now: .zero, date: date).isEmpty)
    }

    @Test("Not more fetches begin a second than the order allows")
    func rate() {
        var machine = machine(3) { $0.perSecond = 5 }
        #expect(machine.ticked(now: .zero, date: date) == [.fetch(days[0])])
        #expect(machine.nextMoment(now: .zero, date: date) == .milliseconds(200))
        #expect(machine.ticked(now: .milliseconds(199), date: date).isEmpty)
        #expect(machine.ticked(now: .milliseconds(200), date: date) == [.fetch(days[1])])
        // A pause of the process is not made up for.
        #expect(machine.ticked(now: .seconds(10), date: date) == [.fetch(days[2])])
    }

    @Test("A request that joins an order may change its rate")
    func otherRate() {
        var machine = machine(3) { $0.perSecond = 1 }
        _ = machine.ticked(now: .zero, date: date)
        machine.changeRate(perSecond: nil)
        #expect(machine.ticked(now: .seconds(1), date: date) == [.fetch(days[1]), .fetch(days[2])])
    }

    @Test("A refusal for the quota is no failure of a chart")
    func failure() {
        var machine = machine(2)
        _ = machine.ticked(now: .zero, date: date)
        _ = machine.received(.failed(.upstreamTimeout), for: days[0], now: .zero, date: date)
        _ = machine.received(.failed(.quotaReserved), for: days[1], now: .zero, date: date)
        #expect(machine.failure == .upstreamTimeout)
    }

    @Test("Used up calls pause it until five past midnight in Seoul, and cost no attempt")
    func quota() {
        var machine = machine(2)
        _ = machine.ticked(now: .zero, date: date)
        let midnight = date + 15 * 3600 + 300
        #expect(
            machine.received(.failed(.quotaReserved), for: days[0], now: .zero, date: date)
                == [.paused(.quota(until: midnight))])
        #expect(machine.received(.failed(.quotaReserved), for: days[1], now: .zero, date: date).isEmpty)
        #expect(machine.nextMoment(now: .seconds(1), date: date) == .seconds(1 + 15 * 3600 + 300))
        #expect(machine.ticked(now: .seconds(2), date: midnight - 1).isEmpty)
        #expect(
            machine.ticked(now: .seconds(3), date: midnight) == [.resumed, .fetch(days[1]), .fetch(days[0])])
    }

    @Test("The pause after each failure of the upstream doubles, and a chart is left as failed after three attempts")
    func failures() {
        var machine = machine(1)
        var now: Duration = .zero
        #expect(machine.ticked(now: now, date: date) == [.fetch(days[0])])
        for pause in [1, 2] {
            #expect(machine.received(.failed(.upstreamTimeout), for: days[0], now: now, date: date).isEmpty)
            #expect(machine.nextMoment(now: now, date: date) == now + .seconds(pause))
            now += .seconds(pause)
            #expect(machine.ticked(now: now, date: date) == [.fetch(days[0])])
        }
        #expect(machine.received(.failed(.upstreamTimeout), for: days[0], now: now, date: date) == [.ended(failed: 1)])
        // The order counts it from now on.
        #expect(machine.failures == 0)
    }

    @Test("A paused order begins nothing, ends what is in flight, and goes on where it was")
    func pause() {
        var machine = machine(6)
        _ = machine.ticked(now: .zero, date: date)
        #expect(machine.pauseRequested() == [.paused(.requested)])
        #expect(machine.pauseRequested().isEmpty)
        #expect(machine.received(.archived, for: days[0], now: .zero, date: date).isEmpty)
        #expect(machine.nextMoment(now: .zero, date: date) == nil)
        #expect(machine.resumeRequested(now: .zero, date: date) == [.resumed, .fetch(days[4])])
    }

    @Test("A refusal that arrives after midnight is about the day before")
    func lateRefusal() {
        var machine = machine(2) { $0.concurrency = 2 }
        _ = machine.ticked(now: .zero, date: date)
        let tomorrow = date + 86_400
        #expect(
            machine.received(.failed(.quotaExceeded), for: days[0], now: .seconds(1), date: tomorrow)
                == [.fetch(days[0])])
        #expect(machine.pause == nil)
    }

    @Test("A failure that only an operator can mend pauses the order, and costs no attempt")
    func operatorNeeded() {
        var machine = machine(1)
        _ = machine.ticked(now: .zero, date: date)
        #expect(
            machine.received(.failed(.storage), for: days[0], now: .zero, date: date)
                == [.paused(.failure(.storage))])
        #expect(machine.isIdle && machine.left == 1 && machine.nextMoment(now: .zero, date: date) == nil)
        #expect(machine.resumeRequested(now: .zero, date: date) == [.resumed, .fetch(days[0])])
    }
}
