import Testing

@testable import ZeroMQ

@Suite struct ZAPRequestTests {
    private static let key = [UInt8](0..<32)
    private static let frames = ["1.0", "7", "curve", "192.0.2.1", "", "CURVE"].map { Array($0.utf8) } + [key]

    private static func message(_ change: (inout Message) -> Void = { _ in }) -> Message {
        var frames = Self.frames
        change(&frames)
        return [[1, 2, 3, 4, 5], []] + frames
    }

    @Test func `a request contains address and key`() throws {
        let request = try ZAPRequest(Self.message())
        #expect(request.id == Array("7".utf8))
        #expect(request.address == "192.0.2.1")
        #expect(request.key == CurvePublicKey(bytes: Self.key))
    }

    @Test func `the replies conform to ZAP 1.0`() throws {
        let request = try ZAPRequest(Self.message())
        let admitted = request.admitted(as: "who").message(to: [9])
        #expect(
            admitted.map { String(decoding: $0, as: UTF8.self) } == [
                "\t", "", "1.0", "7", "200", "OK", "who", "",
            ])
        let refused = request.refused().message(to: [9])
        #expect(refused[3...4].map { String(decoding: $0, as: UTF8.self) } == ["7", "400"])
        #expect(refused.count == 8)
    }

    @Test(
        arguments: [
            (2, "other", .refused), (2, "", .refused), (5, "NULL", .refused), (5, "PLAIN", .refused), (5, "", .refused),
            (0, "2.0", .internalError), (0, "", .internalError), (6, "short", .internalError), (6, "", .internalError),
        ] as [(Int, String, ZAPReply.Status)])
    func `an invalid frame refuses the peer`(index: Int, text: String, status: ZAPReply.Status) {
        let reply = #expect(throws: ZAPReply.self) {
            try ZAPRequest(Self.message { $0[index] = Array(text.utf8) })
        }
        #expect(reply?.status == status)
        #expect(reply?.id == Array("7".utf8))
    }

    @Test(arguments: 0..<9)
    func `a message of another length gets a refusal`(count: Int) {
        let cut = Array(Self.message().prefix(count))
        #expect(throws: ZAPReply.self) { try ZAPRequest(cut) }
        let long = Self.message() + [[0]]
        #expect(throws: ZAPReply.self) { try ZAPRequest(long) }
    }

    @Test func `the delimiter is part of the message`() {
        var message = Self.message()
        message[1] = [1]
        #expect(throws: ZAPReply.self) { try ZAPRequest(message) }
    }

    @Test func `a long address is cut`() throws {
        let request = try ZAPRequest(Self.message { $0[3] = [UInt8](repeating: 65, count: 100_000) })
        #expect(request.address.count == 255)
    }
}
