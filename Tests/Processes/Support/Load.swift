import Synchronization
import Testing

extension TestStack {
    /// Runs `body` while two clients send one request after the other, each of which must be answered in full.
    ///
    /// - Returns: the number of requests.
    func underLoad(_ body: () async throws -> Void) async throws -> Int {
        let isOver = Flag()
        async let first = ask(inMonth: 1, until: isOver)
        async let second = ask(inMonth: 2, until: isOver)
        do {
            defer { isOver.raise() }
            try await body()
        }
        return try await first + second
    }

    private func ask(inMonth month: Int, until isOver: Flag) async throws -> Int {
        var asked = 0
        while !isOver.isRaised {
            asked += 1
            let result = try await gateway(
                "show", "2010-0\(month)-\(10 + asked % 18)", "--top", "3", "--refresh", "--json", "--timeout", "30")
            let answer: ChartAnswer = try result.decoded()
            #expect(result.status == 0 && answer.complete, "\(answer.flaws) \(result)")
        }
        return asked
    }

    private final class Flag: Sendable {
        private let value = Mutex(false)

        var isRaised: Bool { value.withLock { $0 } }

        func raise() { value.withLock { $0 = true } }
    }
}
