extension String {
    /// The text for one line of a terminal: what would end the line, steer the terminal or reorder the line is shown as
    /// an escape instead of taking effect.
    ///
    /// For whatever comes from outside: film titles, names, events of other processes.
    public var printable: String {
        guard unicodeScalars.contains(where: { !$0.isPrintable }) else { return self }
        return unicodeScalars.reduce(into: "") { result, scalar in
            if scalar.isPrintable {
                result.unicodeScalars.append(scalar)
            } else {
                result += scalar.escaped(asASCII: true)
            }
        }
    }
}

extension Unicode.Scalar {
    fileprivate var isPrintable: Bool {
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: false
        // Explicit directions last until the end of the line and would show it in another order.
        case .format: !(0x202A...0x202E ~= value || 0x2066...0x2069 ~= value)
        default: true
        }
    }
}
