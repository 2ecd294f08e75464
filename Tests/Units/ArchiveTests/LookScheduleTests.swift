import ArchiveMachine
import Domain
import Testing

@Suite("Looks at charts that nobody asks for")
struct LookScheduleTests {
    /// Midnight at the beginning of 2026-01-01 in Seoul.
    private let midnight: Double = 1_767_193_200

    private func due(_ hours: Double) -> [String] {
        LookSchedule.due(now: midnight + hours * 3600).map(\.day.iso)
    }

    @Test("Yesterday is looked at ten minutes after midnight, and three more days at noon")
    func days() {
        #expect(due(0.1).first == "2025-12-30")
        #expect(due(0.2).first == "2025-12-31")
        #expect(due(12.05).contains("2025-12-24") == false)
        #expect(due(12.1) == ["2025-12-31", "2025-12-30", "2025-12-24", "2025-12-01"])
    }

    @Test("Three moments a day")
    func moments() {
        var moments: [Double] = []
        var now = midnight
        for _ in 0..<4 {
            now = LookSchedule.next(after: now)
            moments.append((now - midnight) / 60)
        }
        #expect(moments == [10, 360, 725, 1450])
    }

    @Test("An answer of the morning does not replace the look at noon")
    func latest() {
        let yesterday = LookSchedule.due(now: midnight + 13 * 3600).first
        #expect(yesterday == LookSchedule.Look(day: "2025-12-31".day, moment: midnight + 725 * 60))
    }
}
