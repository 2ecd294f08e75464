import Domain
import Foundation
import Testing
import Upstream

@testable import PosterResolverCore

@Suite(.timeLimit(.minutes(1))) struct KakaoTests {
    @Test func `a search is one GET with the key in the header, words percent-encoded`() async throws {
        let transport = try RecordingTransport(fixture: "images-none.json")
        _ = try await kakao(transport).images(query: "A&B+1=2/한? ~-._", deadline: anyDeadline)
        let requests = await transport.requests
        #expect(
            requests.map(\.url) == [
                "http://kakao.example/v2/search/image?query=A%26B%2B1%3D2%2F%ED%95%9C%3F%20~-._&size=80"
            ])
        #expect(
            requests.map(\.headers) == [["Authorization": "KakaoAK \(sampleKey)", "Accept": "application/json"]])
    }

    @Test func `words are composed before they are sent`() async throws {
        let transport = try RecordingTransport(fixture: "images-none.json")
        let query = Poster.query(title: "한글").decomposedStringWithCanonicalMapping
        _ = try await kakao(transport).images(query: query, deadline: anyDeadline)
        let url = try #require(await transport.requests.first?.url)
        #expect(
            url.contains("query=%ED%95%9C%EA%B8%80%20%EC%98%81%ED%99%94%20%ED%8F%AC%EC%8A%A4%ED%84%B0&"), "\(url)")
    }

    @Test func `hits keep their order and their URLs byte for byte`() async throws {
        let hits = try await kakao(RecordingTransport(fixture: "images-page.json"))
            .images(query: "등대", deadline: anyDeadline)
        #expect(hits.count == 5, "the image that is not on the web is left out")
        #expect(
            hits[2]
                == PosterCandidate(
                    imageURL: "http://images.example/?fname=http%3A%2F%2Fa.example%2F%EB%93%B1%EB%8C%80%22.jpg&q=%2B",
                    thumbnailURL: "https://thumbs.example/argon/130x130_85_c/a", width: 1200, height: 1716,
                    site: "네이버블로그", pageURL: "http://pages.example/%EB%93%B1%EB%8C%80/7",
                    datetime: "2024-03-10T12:36:51.000+09:00"))
        #expect(hits[3].site == nil)
        #expect(hits[3].width == 0)
        #expect(hits[4].thumbnailURL == nil)
        #expect(PosterChoice(among: hits, for: PosterQuery(title: "등대", year: nil))?.chosen == hits[2])
    }

    @Test func `a search without hits returns an empty list`() async throws {
        let transport = try RecordingTransport(fixture: "images-none.json")
        #expect(try await kakao(transport).images(query: "등대", deadline: anyDeadline).isEmpty)
        #expect(await transport.requests.count == 1)
    }

    @Test(arguments: ["", "  "])
    func `without words there is an error, and no call`(query: String) async throws {
        let transport = try RecordingTransport(fixture: "images-none.json")
        let error = try await upstreamError { try await kakao(transport).images(query: query, deadline: anyDeadline) }
        #expect(error?.code == .requestRefused)
        #expect(await transport.requests.isEmpty)
    }

    @Test(
        arguments: [
            Refusal(400, #"{"errorType":"MissingParameter","message":"m"}"#, .requestRefused, "MissingParameter"),
            Refusal(400, #"{"errorType":"InvalidArgument","message":"m"}"#, .requestRefused, "InvalidArgument"),
            Refusal(401, #"{"errorType":"AccessDeniedError","message":"m"}"#, .keyRejected, "AccessDeniedError"),
            Refusal(
                429, #"{"errorType":"RequestThrottled","message":"m"}"#, .quotaExceeded, "RequestThrottled", calls: 3),
            Refusal(400, #"{"errorType":"RequestThrottled","message":"m"}"#, .quotaExceeded, "RequestThrottled"),
            Refusal(400, #"{"code":-10,"msg":"m"}"#, .quotaExceeded, "-10"),
            Refusal(200, #"{"code":-10,"msg":"m"}"#, .quotaExceeded, "-10"),
            Refusal(400, #"{"code":"-10","msg":"m"}"#, .quotaExceeded, "-10"),
            Refusal(429, "<html>", .quotaExceeded, nil, calls: 3),
            Refusal(401, #"{"code":-401,"msg":"m"}"#, .keyRejected, "-401"),
            Refusal(403, #"{"code":-3,"msg":"m"}"#, .keyRejected, "-3"),
            Refusal(401, "", .keyRejected, nil), Refusal(403, "<html>", .keyRejected, nil),
            Refusal(400, #"{"code":-2,"msg":"m"}"#, .requestRefused, "-2"),
            Refusal(500, #"{"code":-1,"msg":"m"}"#, .fault, "-1", calls: 3),
            Refusal(400, #"{"code":-7,"msg":"m"}"#, .fault, "-7", calls: 3),
            Refusal(400, #"{"code":-603,"msg":"m"}"#, .fault, "-603", calls: 3),
            Refusal(503, #"{"code":-9798,"msg":"m"}"#, .fault, "-9798", calls: 3),
            Refusal(400, #"{"errorType":"Novelty","message":"m"}"#, .fault, "Novelty"),
            Refusal(500, #"{"errorType":"InternalError","message":"m"}"#, .fault, "InternalError", calls: 3),
            Refusal(502, "<html>", .http, nil, calls: 3), Refusal(404, "{}", .http, nil),
            Refusal(301, "", .http, nil),
        ])
    func `both forms of refusal are understood`(refusal: Refusal) async throws {
        let transport = RecordingTransport(refusal.body, status: refusal.status)
        let error = try await upstreamError { try await kakao(transport).images(query: "등대", deadline: anyDeadline) }
        #expect(error?.code == refusal.code)
        #expect(error?.faultCode == refusal.faultCode)
        #expect(error?.httpStatus == refusal.status)
        #expect(error?.isRetryable == (refusal.calls > 1))
        #expect(await transport.requests.count == refusal.calls)
    }

    @Test(arguments: [
        (#"{"documents":[{"image_url":"http://a","doc_url":"","width":1}]}"#, "documents[0].height"),
        (#"{"documents":[{"image_url":"http://a","doc_url":"","width":"wide","height":1}]}"#, "documents[0].width"),
        (#"{"documents":[{"doc_url":"","width":1,"height":1}]}"#, "documents[0].image_url"),
        (#"{"meta":{}}"#, "documents"),
        (#"{"documents":null}"#, "documents"),
    ])
    func `the error names an undecodable hit`(body: String, path: String) async throws {
        let error = try await upstreamError {
            try await kakao(RecordingTransport(body)).images(query: "등대", deadline: anyDeadline)
        }
        #expect(error?.code == .malformed)
        #expect(error?.message.contains("\(path):") == true, "\(error as Any)")
    }

    struct Refusal: Sendable, CustomTestStringConvertible {
        let status: Int
        let body: String
        let code: UpstreamError.Code
        let faultCode: String?
        let calls: Int

        init(_ status: Int, _ body: String, _ code: UpstreamError.Code, _ faultCode: String?, calls: Int = 1) {
            (self.status, self.body, self.code, self.faultCode, self.calls) = (status, body, code, faultCode, calls)
        }

        var testDescription: String { "\(status) \(body)" }
    }
}
