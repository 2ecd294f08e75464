import ProcessKit
import Testing

@Suite struct DurationArgumentTests {
    @Test(
        arguments: [
            ("500ms", .milliseconds(500)), ("10s", .seconds(10)), ("1.5s", .milliseconds(1500)), ("2m", .seconds(120)),
            ("1h", .seconds(3600)), ("3", .seconds(3)), ("0", .zero), ("8760h", .seconds(31_536_000)), ("8761h", nil),
            ("", nil), ("s", nil), ("-1s", nil), ("1d", nil), ("1e3", nil), ("1 s", nil), ("٣s", nil), ("1..5s", nil),
        ] as [(String, Duration?)])
    func `a duration is a number and a unit`(text: String, duration: Duration?) {
        #expect(Duration(argument: text) == duration)
    }
}
