extension String {
    /// The text for one line of a terminal: characters that would end the line, control the terminal or reorder the
    /// line are shown as escapes.
    ///
    /// For all external text: film titles, names, events of other processes.
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
        // Explicit direction marks apply until the end of the line and would reorder it.
        case .format: !(0x202A...0x202E ~= value || 0x2066...0x2069 ~= value)
        default: true
        }
    }
}
