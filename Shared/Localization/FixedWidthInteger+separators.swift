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
