import Testing

/// What a busy machine adds to every time it takes.
enum Noise {
    /// Asks again until nothing took long but for the reason that was made: noise comes and goes, while what is told in the
    /// wrong place is told there every time.
    static func isPassed(tries: Int = 6, _ isQuiet: () async throws -> Bool) async throws {
        for _ in 1...tries where try await isQuiet() { return }
        Issue.record("not once in \(tries) tries")
    }
}
