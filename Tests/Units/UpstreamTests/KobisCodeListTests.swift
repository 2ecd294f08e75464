import Domain
import Testing
import Upstream

@Suite(.timeLimit(.minutes(1))) struct KobisCodeListTests {
    @Test func `a list is one GET with its parent code`() async throws {
        let transport = try RecordingTransport(fixture: "codes-regions.json")
        let codes = try await kobis(transport).codes(under: KobisClient.regionCodes, deadline: anyDeadline)
        #expect(
            await transport.requests.map(\.url) == [
                "http://kobis.example/rest/code/searchCodeList.json?key=\(sampleKey)&comCode=0105000000"
            ])
        #expect(
            codes == [
                CodeListEntry(code: "0105001", name: "서울시"),
                CodeListEntry(code: "0105002", name: "경기도", nameEnglish: "Gyeonggi"),
                CodeListEntry(code: "0105003", name: "강원도"),
            ])
    }

    @Test func `an empty list is an answer`() async throws {
        #expect(try await kobis(RecordingTransport(#"{"codes":[]}"#)).codes(under: "1", deadline: anyDeadline).isEmpty)
    }

    @Test(arguments: [
        (#"{"list":[]}"#, "KOBIS answered without codes."),
        (#"{"codes":[{"korNm":"서울시"}]}"#, "codes[0].fullCd"), (#"{"codes":{}}"#, "codes"),
        (#"{"codes":[{"fullCd":"1","korNm":" "}]}"#, "codes[0].korNm"),
    ])
    func `the error names the part that is no list of codes`(body: String, words: String) async throws {
        let error = try await upstreamError {
            try await kobis(RecordingTransport(body)).codes(under: "1", deadline: anyDeadline)
        }
        #expect(error?.code == .malformed && error?.message.contains(words) == true, "\(error as Any)")
    }
}
