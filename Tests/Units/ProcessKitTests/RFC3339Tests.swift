import ProcessKit
import Testing

@Suite struct RFC3339Tests {
    @Test(
        arguments: [
            (0, "1970-01-01T00:00:00.000000Z"), (1, "1970-01-01T00:00:00.000001Z"),
            (951_782_400_000_000, "2000-02-29T00:00:00.000000Z"),
            (1_677_628_800_000_001, "2023-03-01T00:00:00.000001Z"),
            (1_709_251_199_999_999, "2024-02-29T23:59:59.999999Z"),
            (4_107_585_600_000_000, "2100-03-01T12:00:00.000000Z"),
            (-1, "1969-12-31T23:59:59.999999Z"), (-86_400_000_000, "1969-12-31T00:00:00.000000Z"),
        ] as [(Int64, String)])
    func `a time is text with microseconds, on any day`(microseconds: Int64, text: String) {
        #expect(RFC3339.text(microseconds: microseconds) == text)
    }

    @Test(arguments: [Int64.min, .max])
    func `an extreme time is still text`(microseconds: Int64) {
        #expect(RFC3339.text(microseconds: microseconds).hasSuffix("Z"))
    }

    @Test(arguments: [0, 1, 951_782_400_000_000, 1_709_251_199_999_999, -1] as [Int64])
    func `written text is read back`(microseconds: Int64) {
        #expect(RFC3339.microseconds(RFC3339.text(microseconds: microseconds)) == microseconds)
    }

    @Test(
        arguments: [
            ("2026-11-21T08:09:10Z", 1_795_248_550_000_000), ("2026-11-21t17:09:10+09:00", 1_795_248_550_000_000),
            ("2026-11-21 08:09:10", 1_795_248_550_000_000), ("2026-11-21T08:09", 1_795_248_540_000_000),
            ("2026-11-21T08:09:10.5Z", 1_795_248_550_500_000),
            ("2026-11-21T08:09:10.123456789Z", 1_795_248_550_123_456),
            ("2026-11-21", nil), ("2026-13-21T08:09:10Z", nil), ("2026-11-21T25:09:10Z", nil), ("yesterday", nil),
            ("", nil),
        ] as [(String, Int64?)])
    func `a time is read in all usual forms`(text: String, microseconds: Int64?) {
        #expect(RFC3339.microseconds(text) == microseconds)
    }
}
