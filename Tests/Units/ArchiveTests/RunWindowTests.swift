import ArchiveMachine
import Domain
import Testing

@Suite("The days of a film's run")
struct RunWindowTests {
    private func days(_ texts: String...) -> [Day] { texts.map(\.day) }

    @Test("From a week before the first row until three weeks after the last one, and around the opening")
    func window() {
        let charted = days("2019-02-01", "2019-02-20")
        #expect(
            RunWindow.ranges(charted: charted, opening: "2019-01-23".day, until: "2019-12-31".day) == [
                "2019-01-25".day..."2019-03-13".day, "2019-01-16".day..."2019-02-13".day,
            ])
        #expect(
            RunWindow.span(charted: charted, opening: "2019-01-23".day, until: "2019-03-01".day)
                == "2019-01-16".day..."2019-03-01".day)
    }

    @Test("Of a re-released film, the latest run")
    func rerelease() {
        let ranges = RunWindow.ranges(
            charted: days("2019-02-01", "2019-04-02", "2019-06-02"), opening: nil, until: "2019-12-31".day)
        #expect(ranges == ["2019-05-26".day..."2019-06-23".day])
    }

    @Test("Not before the first chart, and not after the last day")
    func bounds() {
        #expect(RunWindow.ranges(charted: [], opening: "1998-01-01".day, until: "2019-12-31".day).isEmpty)
        #expect(
            RunWindow.ranges(charted: [], opening: "2019-12-25".day, until: "2019-12-31".day)
                == ["2019-12-18".day..."2019-12-31".day])
        #expect(RunWindow.span(charted: [], opening: nil, until: "2019-12-31".day) == nil)
    }
}
