import ServiceKit
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
    func `a moment is text with microseconds, on any day`(microseconds: Int64, text: String) {
        #expect(RFC3339.text(microseconds: microseconds) == text)
    }

    @Test(arguments: [Int64.min, .max])
    func `a moment of a broken clock is still text`(microseconds: Int64) {
        #expect(RFC3339.text(microseconds: microseconds).hasSuffix("Z"))
    }
}
