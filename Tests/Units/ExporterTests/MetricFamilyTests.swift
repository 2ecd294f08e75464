import Testing

@testable import ExporterCore

struct MetricFamilyTests {
    @Test func `A family is a help line, a type line and its samples`() {
        var family = MetricFamily("boxoffice_requests_total", .counter, "Requests.")
        family.add(3, ["service": "web", "instance": "web/1"])
        family.add(0.25, ["service": "broker"])
        #expect(
            [family].text == """
                # HELP boxoffice_requests_total Requests.
                # TYPE boxoffice_requests_total counter
                boxoffice_requests_total{service="web",instance="web/1"} 3
                boxoffice_requests_total{service="broker"} 0.25

                """)
    }

    @Test func `Values of peers cannot leave their label`() {
        var family = MetricFamily("x", .gauge, "A \\ and\na break.")
        family.add(1, ["name": "a\"} 9\nb\\"])
        #expect(
            [family].text == """
                # HELP x A \\\\ and\\na break.
                # TYPE x gauge
                x{name="a\\"} 9\\nb\\\\"} 1

                """)
    }

    @Test func `An unknown value is no sample, and a family without samples is no text`() {
        var family = MetricFamily("x", .gauge, "X.")
        family.add(nil as Int?)
        family.add(nil as Bool?)
        #expect([family].text.isEmpty)
        family.add(false)
        #expect([family].text.hasSuffix("\nx 0\n"))
    }

    @Test func `Buckets of a histogram are cumulative, and their bounds included`() {
        var histogram = DurationHistogram()
        for microseconds in [500, 501, 60_000_000, 60_000_001, 3_600_000_000] {
            histogram.record(microseconds: microseconds)
        }
        var family = MetricFamily("d_seconds", .histogram, "D.")
        histogram.add(to: &family, ["command": "show"])
        let lines = [family].text.split(separator: "\n").map(String.init)
        #expect(lines.contains(#"d_seconds_bucket{command="show",le="0.0005"} 1"#))
        #expect(lines.contains(#"d_seconds_bucket{command="show",le="0.001"} 2"#))
        #expect(lines.contains(#"d_seconds_bucket{command="show",le="60"} 3"#))
        #expect(lines.contains(#"d_seconds_bucket{command="show",le="+Inf"} 5"#))
        #expect(lines.contains(#"d_seconds_count{command="show"} 5"#))
        #expect(lines.contains { $0.hasPrefix(#"d_seconds_sum{command="show"} 3720.00"#) })
    }
}
