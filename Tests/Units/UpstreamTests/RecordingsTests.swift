import Domain
import Foundation
import Kobis
import Testing
import Upstream

@testable import PosterResolverCore

/// Reads real recordings, if available: `RECORDINGS=DIR swift test --filter RecordingsTests`.
@Suite(.enabled(if: Recordings.folder != nil), .timeLimit(.minutes(1))) struct RecordingsTests {
    @Test func `every recorded chart decodes, with ten rows`() async throws {
        let files = try Recordings.files(prefix: "daily-")
        #expect(!files.isEmpty)
        for (name, body) in files {
            let day = try #require(Day(compact: name))
            let chart = try await kobis(RecordingTransport(body)).chart(.daily(day), deadline: anyDeadline)
            #expect(chart.entries.count == 10)
            #expect(chart.entries.map(\.rowNumber) == Array(1...10))
            #expect(chart.entries.allSatisfy { $0.title == $0.title.trimmingCharacters(in: .whitespaces) })
            #expect(try JSONDecoder().decode(Chart.self, from: JSONEncoder().encode(chart)) == chart)
        }
    }

    @Test(arguments: [ChartKind.weekly, .weekend, .weekdays])
    func `every recorded chart of a week decodes`(kind: ChartKind) async throws {
        for (name, body) in try Recordings.files(prefix: "\(kind.rawValue)-") {
            let selection = ChartSelection(kind, around: try #require(Day(compact: name)))
            let chart = try await kobis(RecordingTransport(body)).chart(selection, deadline: anyDeadline)
            #expect(chart.entries.map(\.rowNumber) == Array(1...10))
        }
    }

    @Test func `every recorded film decodes`() async throws {
        let files = try Recordings.files(prefix: "movieinfo-")
        #expect(!files.isEmpty)
        for (code, body) in files {
            let film = try await kobis(RecordingTransport(body)).film(code: code, deadline: anyDeadline)
            #expect(film.code == code)
            #expect(film.openingDay != nil)
            #expect(try JSONDecoder().decode(FilmDetail.self, from: JSONEncoder().encode(film)) == film)
        }
    }

    @Test func `every recorded page of the catalogue decodes`() async throws {
        let files = try Recordings.files(prefix: "movielist-")
        #expect(!files.isEmpty)
        for (_, body) in files {
            let page = try await kobis(RecordingTransport(body))
                .films(FilmSearch(includesAdultFilms: true), deadline: anyDeadline)
            #expect(page.total.value > page.films.count && !page.films.isEmpty)
            #expect(page.films.allSatisfy { !$0.nations.contains { $0.contains(",") } })
        }
    }

    @Test func `every recorded refusal is an error with a code`() async throws {
        for (fault, body) in try Recordings.files(prefix: "fault-") {
            let error = try await upstreamError {
                try await kobis(RecordingTransport(body)).film(code: "1", deadline: anyDeadline)
            }
            #expect(error?.faultCode == fault)
            #expect(error?.code != .notFound)
        }
        for (status, body) in try Recordings.files(prefix: "kakao-error-") {
            let status = try #require(Int(status))
            let error = try await upstreamError {
                try await kakao(RecordingTransport(body, status: status)).images(query: "1", deadline: anyDeadline)
            }
            #expect(error?.faultCode != nil)
        }
    }

    @Test func `the recorded page of images has eighty hits, and the choice has the shape of a poster`() async throws {
        for (kind, body) in try Recordings.files(prefix: "kakao-image-") {
            let hits = try await kakao(RecordingTransport(body)).images(query: "1", deadline: anyDeadline)
            #expect(hits.count == (kind == "empty" ? 0 : 80))
            let choice = PosterChoice(among: hits, for: PosterQuery(title: "밀수", year: 2023))
            #expect(choice?.confidence == (kind == "empty" ? nil : .high))
            for image in [choice?.chosen].compactMap({ $0 }) + (choice?.runnersUp ?? []) {
                #expect(PosterScore.posterRatio.contains(Double(image.height) / Double(image.width)))
            }
        }
    }
}

private enum Recordings {
    static let folder = ProcessInfo.processInfo.environment["RECORDINGS"]

    /// The bodies of the files with this name prefix, each with the next part of the name, up to a dash.
    static func files(prefix: String) throws -> [(name: String, body: String)] {
        let folder = URL(filePath: try #require(folder))
        return try FileManager.default.contentsOfDirectory(atPath: folder.path)
            .filter { $0.hasPrefix(prefix) && $0.hasSuffix(".json") }
            .map { file in
                let rest = file.dropFirst(prefix.count).dropLast(".json".count)
                let name = rest.split(separator: "-").first.map(String.init) ?? ""
                return (name, try String(contentsOf: folder.appending(path: file), encoding: .utf8))
            }
    }
}
