extension FixedWidthInteger {
    /// The number with a comma between each three digits: 1,234,567.
    public var withSeparators: String {
        let digits = String(magnitude)
        let grouped = digits.reversed().enumerated().reduce(into: "") { result, digit in
            if digit.offset > 0, digit.offset.isMultiple(of: 3) { result.append(",") }
            result.append(digit.element)
        }
        return (self < 0 ? "-" : "") + String(grouped.reversed())
    }
}

extension Int {
    /// Microseconds as milliseconds with one decimal: "104.0".
    public var tenthsOfMilliseconds: String {
        let tenths = self / 100 + (self % 100 >= 50 ? 1 : 0)
        return "\((tenths / 10).withSeparators).\(tenths % 10)"
    }
}
