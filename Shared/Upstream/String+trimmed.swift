extension String {
    /// The text without white space at either end, the Korean full-width space included.
    var trimmed: String {
        guard first?.isWhitespace == true || last?.isWhitespace == true else { return self }
        var rest = drop(while: \.isWhitespace)
        while rest.last?.isWhitespace == true {
            rest.removeLast()
        }
        return String(rest)
    }
}
