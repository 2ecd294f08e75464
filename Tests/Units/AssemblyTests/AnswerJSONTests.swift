import Contracts
import Domain
import Envelope
import Foundation
import Localization
import TestSupport
import Testing

@testable import Assembly

@Suite struct AnswerJSONTests {
    /// Differs from an encoder's output: order, white space, escapes and a trailing zero must survive.
    private static let stored = #"{ "z" : 1.50, "title":"\uACBD관 \"의\" 피\/",  "a":[ ] }"#

    private func assembly(_ detail: PartOutcome, _ poster: PartOutcome) throws -> ShowAssembly {
        var assembly = ShowAssembly(
            .daily(Samples.date), chart: Samples.ok(try Samples.chart("경관의 \"피\"")), codes: ["20199880"])
        assembly.receive(detail, for: .detail(0))
        assembly.receive(poster, for: .poster(0))
        return assembly
    }

    @Test func `stored bytes are passed on as they are`() throws {
        let stored = Samples.ok(Array(Self.stored.utf8))
        let json = try AnswerJSON.show(assembly(stored, stored))
        #expect(String(decoding: json, as: UTF8.self).components(separatedBy: Self.stored).count == 3)
        let chart = try Samples.chart("경관의 \"피\"")
        #expect(json.firstRange(of: chart) != nil)
    }

    @Test func `the answer is JSON with the date, whether it is complete, and each part's status`() throws {
        let film = try Samples.okFilm()
        let answer = try object(AnswerJSON.show(assembly(film, Samples.ok(Samples.poster()))))
        #expect(answer["targetDate"] as? String == "2022-01-05")
        #expect(answer["complete"] as? Bool == true)
        #expect(answer.keys.sorted() == ["chart", "complete", "films", "source", "targetDate"])
        let chart = try #require(answer["chart"] as? [String: Any])
        #expect(chart.keys.sorted() == ["cache", "failure", "source", "status", "value"])
        #expect(chart["cache"] is NSNull && chart["failure"] is NSNull)
        let rows = try #require((chart["value"] as? [String: Any])?["entries"] as? [[String: Any]])
        #expect(rows.map { $0["title"] as? String } == ["경관의 \"피\""])
        let films = try #require(answer["films"] as? [[String: Any]])
        #expect(films.map { $0["code"] as? String } == ["20199880"])
        for part in ["detail", "poster"] {
            let status = (films[0][part] as? [String: Any])?["status"] as? String
            #expect(status == "ok")
        }
    }

    @Test func `each outcome of a part has its status`() throws {
        let value = Array(Self.stored.utf8)
        let noHits = Failure(.noHits, LocalizedText(ko: "\"", en: "\\\n"), isRetryable: false, httpStatus: 404)
        let outcomes: [(PartOutcome, String)] = [
            (Samples.ok(value), "ok"),
            (.stale(value, failure: Samples.timeout, cache: CacheStatus(hit: true, age: 5), sender: "x"), "stale"),
            (.failed(noHits), "failed"), (.failed(Samples.timeout), "timeout"),
        ]
        for (outcome, status) in outcomes {
            let answer = try object(AnswerJSON.show(assembly(outcome, Samples.ok(value))))
            #expect(answer["complete"] as? Bool == (status == "ok"))
            let part = try #require((answer["films"] as? [[String: Any]])?.first?["detail"] as? [String: Any])
            #expect(part["status"] as? String == status)
            #expect((part["value"] is NSNull) == (outcome.value == nil))
            let failure = part["failure"] as? [String: Any]
            #expect(failure?["code"] as? String == outcome.failure?.code.rawValue)
            #expect(failure?["isRetryable"] as? Bool == outcome.failure?.isRetryable)
            #expect(failure?["httpStatus"] as? Int == outcome.failure?.httpStatus)
            #expect((part["cache"] as? [String: Any])?["age"] as? Int == outcome.cache?.age)
        }
    }

    @Test func `a part that did not arrive is null, and the answer incomplete`() throws {
        let waiting = ShowAssembly(.daily(Samples.date), chart: Samples.ok(try Samples.chart("a")), codes: ["1"])
        let answer = try object(AnswerJSON.show(waiting))
        #expect(answer["complete"] as? Bool == false)
        #expect((answer["films"] as? [[String: Any]])?.first?["detail"] is NSNull)
    }

    @Test func `without a chart there are no films`() throws {
        let answer = try object(
            AnswerJSON.show(ShowAssembly(.daily(Samples.date), chart: .failed(Samples.timeout), codes: [])))
        #expect((answer["films"] as? [Any])?.isEmpty == true)
        #expect((answer["chart"] as? [String: Any])?["status"] as? String == "timeout")
    }

    @Test(arguments: ["경관의 피", "a \"b\" c", "back\\slash", "줄\n바꿈\u{1B}[2J", "\u{2028}", ""])
    func `the requested title is escaped`(title: String) throws {
        let outcome = Samples.ok(Array(Self.stored.utf8))
        let json = try AnswerJSON.single(outcome, kind: "poster", asked: ("title", title))
        #expect(!json.contains(UInt8(ascii: "\n")) && !json.contains(0x1B))
        let answer = try object(json)
        #expect(answer["title"] as? String == title)
        #expect(answer["complete"] as? Bool == true)
        #expect(String(decoding: json, as: UTF8.self).contains(Self.stored))
    }

    @Test func `the source of an answer is the least genuine one of its parts`() throws {
        func part(_ source: DataSource) throws -> PartOutcome {
            .fresh(try Samples.poster(), cache: nil, sender: nil, source: source)
        }
        func source(_ details: PartOutcome, _ posters: PartOutcome) throws -> String? {
            try object(AnswerJSON.show(assembly(details, posters)))["source"] as? String
        }
        #expect(try source(part(.upstream), part(.upstream)) == "upstream")
        #expect(try source(part(.recorded), part(.upstream)) == "recorded")
        #expect(try source(part(.recorded), part(.demo)) == "demo")
        #expect(try source(part(.demo), .failed(Samples.timeout)) == "demo")
        #expect(try source(part(DataSource(rawValue: "of a later release")), part(.recorded)) == "of a later release")
    }

    @Test func `a single part has the same form, with its own name`() throws {
        let json = try AnswerJSON.single(.failed(Samples.timeout), kind: "movie", asked: ("code", "20199882"))
        #expect(
            String(decoding: json, as: UTF8.self) == #"""
                {"code":"20199882","complete":false,"source":null,"movie":{"cache":null,"failure":{"code":"timeout","faultCode":null,"httpStatus":null,"isRetryable":true,"message":{"en":"It timed out.","ko":"시간 초과입니다."}},"source":null,"status":"timeout","value":null}}
                """#)
    }
}
