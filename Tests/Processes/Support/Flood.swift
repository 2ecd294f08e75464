import Foundation

/// The flooding client of the Python tests, which sends detail-fetcher more requests than it may.
struct Flood {
    struct Report: Decodable {
        let sent: Int
        let answers: [String: Int]

        var overloaded: Int { answers["overloaded"] ?? 0 }
        /// The number of requests without a refusal or an answer.
        var outstanding: Int { sent - answers.values.reduce(0, +) }
    }

    struct Ended: Error, CustomStringConvertible {
        let description = "the flood ended before its report"
    }

    fileprivate var lines: Command.Lines

    /// The totals of all bursts so far, after the next one has ended.
    mutating func nextReport() async throws -> Report {
        guard let line = try await lines.next() else { throw Ended() }
        return try JSONDecoder().decode(Report.self, from: Data(line.utf8))
    }
}

extension TestStack {
    /// Runs `body` during a flood, then cancels its queued requests.
    func flooding<Result: Sendable>(
        _ options: String..., body: (inout Flood) async throws -> Result
    ) async throws -> Result {
        let request = ["detail-fetcher", "movie.detail", #"{"code":"20199001","isRefresh":true}"#]
        let program = try Repository.root + "/Tests/Tools/Flood/flooding_client.py"
        return try await command(program, ["ipc://\(runFolder)/broker.ipc"] + request + options).reading { lines in
            var flood = Flood(lines: lines)
            return try await body(&flood)
        }
    }
}
