extension String {
    /// The text without white space at both ends, including the Korean full-width space.
    var trimmed: String {
        guard first?.isWhitespace == true || last?.isWhitespace == true else { return self }
        var rest = drop(while: \.isWhitespace)
        while rest.last?.isWhitespace == true {
            rest.removeLast()
        }
        return String(rest)
    }
}
