import Domain
import Foundation
import Kobis
import Testing
import Upstream

@testable import PosterResolverCore

@Suite(.timeLimit(.minutes(1))) struct SecrecyTests {
    @Test func `a key is never visible in descriptions`() throws {
        let key = try APIKey(" \(sampleKey)\n")
        var dumped = ""
        dump(["k": key], to: &dumped)
        let request = UpstreamRequest(
            upstream: "KOBIS", path: "p", url: "http://a/?key=\(sampleKey)", headers: ["Authorization": sampleKey])
        dump(request, to: &dumped)
        let client = try kobis(RecordingTransport("{}"))
        for text in ["\(key)", String(reflecting: key), dumped, "\(request)", String(reflecting: request), "\(client)"]
        {
            #expect(!text.contains(sampleKey))
        }
        #expect(dumped.contains("***"))
        #expect("\(request)" == "GET KOBIS p")
    }

    @Test(arguments: ["", " \n", "two words", "line\r\nX-Header: 1", "열쇠", "nul\0"])
    func `an invalid key is a configuration error that does not repeat it`(text: String) throws {
        let error = #expect(throws: UpstreamError.self) { try APIKey(text) }
        #expect(error?.code == .configuration)
        #expect(text.trimmingCharacters(in: .whitespacesAndNewlines).isEmpty || error?.message.contains(text) == false)
    }

    @Test func `white space around a key is removed`() throws {
        #expect(try APIKey("\t\(sampleKey)\r\n") == APIKey(sampleKey))
    }

    @Test func `a key that Kakao repeats is masked`() async throws {
        let body = #"{"errorType":"AccessDeniedError","message":"wrong appKey(\#(sampleKey)) format"}"#
        let error = try await upstreamError {
            try await kakao(RecordingTransport(body, status: 401)).images(query: "등대", deadline: anyDeadline)
        }
        #expect(
            error?.message == "Kakao does not accept the API key (AccessDeniedError: wrong appKey(***) format).")
    }

    @Test func `a key is masked before a long text is cut, at every position`() async throws {
        let padding = String(repeating: "가", count: 330)
        let body = #"{"faultInfo":{"message":"\#(padding)\#(sampleKey)\#(padding)","errorCode":"\#(sampleKey)"}}"#
        let day = try #require(Day("2024-03-06"))
        let error = try await upstreamError {
            try await kobis(RecordingTransport(body)).chart(.daily(day), deadline: anyDeadline)
        }
        let text = "\(try #require(error))"
        #expect(!text.contains(sampleKey.prefix(6)))
        #expect(error?.faultCode == "***")
        #expect(error?.message.count == 401)
    }

    /// The key as an upstream may send it back.
    private static let forms = [
        sampleKey, String(sampleKey.reversed()), sampleKey.uppercased(),
        sampleKey.utf8.map { String($0, radix: 16, uppercase: true) }.joined(),
    ]

    @Test(arguments: forms) func `an answer that contains the key is no answer`(key: String) async throws {
        let body = #"{"movieListResult":{"totCnt":0,"movieList":[],"source":"\#(key)"}}"#
        let error = try await upstreamError {
            try await kobis(RecordingTransport(body)).films(FilmSearch(title: "등대"), deadline: anyDeadline)
        }
        #expect(error?.code == .malformed)
        #expect(error?.message.lowercased().contains(key.lowercased()) == false)
    }

    @Test(arguments: forms) func `a refusal that contains the key does not show it`(key: String) async throws {
        let body = #"{"faultInfo":{"message":"두 번: \#(key), \#(key)","errorCode":"\#(key)"}}"#
        let error = try await upstreamError {
            try await kobis(RecordingTransport(body)).films(FilmSearch(title: "등대"), deadline: anyDeadline)
        }
        #expect(error?.message.contains("두 번: ***, ***") == true && error?.faultCode == "***")
    }

    @Test(arguments: forms) func `a control character inside the key does not uncover it`(key: String) async throws {
        let broken = key.prefix(5) + "\\u0001" + key.dropFirst(5)
        let body = #"{"faultInfo":{"message":"key \#(broken)","errorCode":"1"}}"#
        let error = try await upstreamError {
            try await kobis(RecordingTransport(body)).films(FilmSearch(title: "등대"), deadline: anyDeadline)
        }
        #expect(error?.message.contains("key ***") == true)
    }

    @Test func `a percent-encoded key is masked too`() async throws {
        let key = "a/b+c=d/e+f"
        let transport = RecordingTransport(#"{"faultInfo":{"message":"key=a%2Fb%2Bc%3Dd%2Fe%2Bf","errorCode":"1"}}"#)
        let client = try KobisClient(baseURL: "http://kobis.example", key: APIKey(key), transport: transport)
        let day = try #require(Day("2024-03-06"))
        let error = try await upstreamError { try await client.chart(.daily(day), deadline: .now + .seconds(60)) }
        #expect(error?.message.contains("key=***") == true)
    }

    @Test func `control characters of an upstream do not reach a terminal`() async throws {
        let body = #"{"errorType":"InvalidArgument","message":"\u001b[31mred\u0007\n"}"#
        let error = try await upstreamError {
            try await kakao(RecordingTransport(body, status: 400)).images(query: "등대", deadline: anyDeadline)
        }
        #expect(error?.message == "Kakao does not understand the request (InvalidArgument: [31mred).")
    }
}
