/// Ends the run as a finding unless the claim holds; unlike `assert`, also in release builds.
func claim(
    _ holds: Bool, _ what: @autoclosure () -> String, file: StaticString = #fileID, line: UInt = #line
) {
    if !holds { fatalError(what(), file: file, line: line) }
}
