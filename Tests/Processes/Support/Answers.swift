import Foundation
import Testing

/// The part of `gateway show --json` and `gateway chart --json` that the tests read.
struct ChartAnswer: Decodable, Sendable {
    struct Film: Decodable, Sendable {
        let code: String
        let detail: Part<Detail>?
        let poster: Part<Poster>?
    }

    let targetDate: String
    let complete: Bool
    let chart: Part<Chart>
    let films: [Film]?

    /// The parts that are missing or stale, with the reasons; the output is too long for a report.
    var flaws: [String] {
        ([("chart", chart.status, chart.failure?.code)]
            + (films ?? []).flatMap { film in
                [
                    ("detail \(film.code)", film.detail?.status ?? "none", film.detail?.failure?.code),
                    ("poster \(film.code)", film.poster?.status ?? "none", film.poster?.failure?.code),
                ]
            }).filter { $0.1 != "ok" }.map { "\($0.0): \($0.1) \($0.2 ?? "")" }
    }
}

/// The part of `gateway movie --json` and `gateway poster --json` that the tests read.
struct FilmAnswer: Decodable, Sendable {
    let complete: Bool
    let movie: Part<Detail>?
    let poster: Part<Poster>?
}

/// The part of `gateway stats --json` that the tests read.
struct StatsAnswer: Decodable, Sendable {
    struct Service: Decodable, Sendable {
        let name: String
        let instances: [Instance]
    }

    struct Instance: Decodable, Sendable {
        let id: String
        let version: String
        let requests: Int
    }

    let complete: Bool
    let broker: Instance?
    let services: [Service]
}

struct Part<Value: Decodable & Sendable>: Decodable, Sendable {
    struct Cache: Decodable, Sendable {
        let hit: Bool
        let stored: Bool?
        let detail: String?
    }

    struct Failure: Decodable, Sendable {
        let code: String
        let isRetryable: Bool
        let httpStatus: Int?
        let faultCode: String?
        let message: [String: String]
    }

    let status: String
    let cache: Cache?
    let failure: Failure?
    let value: Value?
}

struct Chart: Decodable, Sendable {
    struct Entry: Decodable, Sendable {
        let rank: Int
        let presence: String
        let code: String
        let title: String
        let openingDay: String?
        let salesAmount: Int64
        let audience: Int
        let audienceTotal: Int
    }

    let date: String
    let entries: [Entry]
}

struct Detail: Decodable, Sendable {
    let code: String
    let title: String
    let runningMinutes: Int?
}

struct Poster: Decodable, Sendable {
    let imageURL: String
    let pageURL: String
}

extension CommandResult {
    func decoded<Answer: Decodable>(_ type: Answer.Type = Answer.self) throws -> Answer {
        do {
            return try JSONDecoder().decode(type, from: Data(output.utf8))
        } catch {
            Issue.record("\(error)\n\(self)")
            throw error
        }
    }

    var lines: [String] { output.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) }
}
