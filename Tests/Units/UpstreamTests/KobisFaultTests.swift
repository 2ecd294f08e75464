import Domain
import Kobis
import Testing
import Upstream

@Suite(.timeLimit(.minutes(1))) struct KobisFaultTests {
    @Test(
        arguments: [
            ("320010", .keyRejected), ("320011", .quotaExceeded), ("320102", .requestRefused),
            ("320103", .requestRefused), ("320105", .requestRefused), ("320999", .fault), ("x", .fault),
        ] as [(String, UpstreamError.Code)])
    func `a fault is identified by its code, string or number, not by its message`(
        fault: String, code: UpstreamError.Code
    ) async throws {
        for value in ["\"\(fault)\"", fault == "x" ? "\"x\"" : fault] {
            let transport = RecordingTransport(#"{"faultInfo":{"message":"오늘의 말","errorCode":\#(value)}}"#)
            let error = try await chartError(transport)
            #expect(error?.code == code)
            #expect(error?.faultCode == fault)
            #expect(error?.httpStatus == 200)
            #expect(error?.isRetryable == false)
            #expect(error?.message.contains("오늘의 말") == true)
            #expect(await transport.requests.count == 1)
        }
    }

    @Test(
        arguments: [
            ("fault-320010.json", .keyRejected), ("fault-320011.json", .quotaExceeded),
            ("fault-320103.json", .requestRefused),
        ] as [(String, UpstreamError.Code)])
    func `faults about key, quota and request have the same meaning for a film`(
        fixture: String, code: UpstreamError.Code
    ) async throws {
        let transport = try RecordingTransport(fixture: fixture)
        let error = try await upstreamError { try await kobis(transport).film(code: "1", deadline: anyDeadline) }
        #expect(error?.code == code)
    }

    @Test func `a fault takes precedence over a result and over an error status`() async throws {
        let fault = #""faultInfo":{"message":"m","errorCode":"320011"}"#
        for (body, status) in [("{\(fault),\"boxOfficeResult\":7}", 200), ("{\(fault)}", 500), ("{\(fault)}", 403)] {
            let error = try await chartError(RecordingTransport(body, status: status))
            #expect(error?.code == .quotaExceeded)
            #expect(error?.httpStatus == status)
        }
    }

    @Test func `a null fault is no fault`() async throws {
        let body = #"{"faultInfo":null,"boxOfficeResult":{"dailyBoxOfficeList":[]}}"#
        #expect(try await chartError(RecordingTransport(body)) == nil)
    }

    @Test(arguments: [
        (0, "an empty body"), (1, "HTML or XML"), (2, "a broken or cut-off body of"), (3, "white space"),
        (4, "9 bytes of text/plain"), (5, "a broken or cut-off body of"),
    ])
    func `a body that is not JSON is described in plain words and retried`(kind: Int, words: String) async throws {
        let half = try Fixture.bytes("chart-20240306.json").prefix(2000)
        let body = [
            [], try Fixture.bytes("maintenance.html"), Array(half), Array(" \n".utf8), Array("점검".utf8) + [0xFF, 0, 1],
            try Fixture.bytes("chart-20240306.json").map { $0 == UInt8(ascii: "A") ? 0xFF : $0 },
        ][kind]
        let transport = RecordingTransport([
            .success(UpstreamResponse(status: 200, contentType: "text/plain", body: body))
        ])
        let error = try await chartError(transport)
        #expect(error?.code == .malformed)
        #expect(error?.message.contains(words) == true, "\(error as Any)")
        #expect(error?.httpStatus == 200)
        #expect(await transport.requests.count == 3)
    }

    @Test(arguments: [(500, 3), (503, 3), (429, 3), (408, 3), (400, 1), (404, 1), (302, 1)])
    func `a status other than 2xx is an error, and only some are retryable`(
        status: Int, calls: Int
    ) async throws {
        let transport = try RecordingTransport(fixture: "maintenance.html", status: status)
        let error = try await chartError(transport)
        #expect(error?.code == .http)
        #expect(error?.httpStatus == status)
        #expect(error?.message.contains("\(status)") == true)
        #expect(await transport.requests.count == calls)
    }

    @Test func `a valid chart with an error status is an error`() async throws {
        let error = try await chartError(RecordingTransport(fixture: "chart-20240306.json", status: 404))
        #expect(error?.code == .http)
    }

    private func chartError(_ transport: RecordingTransport) async throws -> UpstreamError? {
        let day = try #require(Day("2024-03-06"))
        return try await upstreamError { try await kobis(transport).chart(.daily(day), deadline: anyDeadline) }
    }
}
