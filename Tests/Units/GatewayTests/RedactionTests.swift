import Envelope
import Foundation
import ProcessKit
import Testing

@testable import GatewayCore

@Suite struct RedactionTests {
    private static let redaction = Redaction(
        secrets: ["0123456789abcdef", "0123456789abcdef0123", "short"], home: "/home/somebody", user: "somebody",
        host: "box.local")

    @Test(
        arguments: [
            ("key 0123456789abcdef0123!", "key [secret]!"), ("key 0123456789abcdef!", "key [secret]!"),
            ("a short word", "a short word"), ("/home/somebodyelse/x", "/home/somebodyelse/x"),
            ("/home/somebody", "~"), ("mail of somebody!", "mail of [user]!"),
            ("0123456789ABCDEFghij0123456789kl.", "[32 letters]."), ("10.0.0.1,10.0.0.2", "[address],[address]"),
            ("tcp://broker.corp:5555", "tcp://[address]:5555"), ("tcp://[2001:db8::1]:5555", "tcp://[address]:5555"),
            ("at 2001:db8:0:1:1:1:1:1", "at [address]"), ("2026-11-22T06:10:24.372592Z", "2026-11-22T06:10:24.372592Z"),
            ("tcp://localhost:5555", "tcp://localhost:5555"), ("/home/somebody/.config", "~/.config"),
            ("at box.local: boxlocal, box.locals", "at [host]: boxlocal, box.locals"),
            ("https://x/?key=abc&targetDt=1", "https://x/?key=[secret]&targetDt=1"),
            ("Authorization: KakaoAK abc\"", "Authorization: KakaoAK [secret]\""), ("KakaoAK abc", "KakaoAK [secret]"),
            ("tcp://192.0.2.7:5555", "tcp://[address]:5555"), ("http://127.0.0.1:80", "http://127.0.0.1:80"),
            ("version 0.1.0", "version 0.1.0"), ("경관의 피", "경관의 피"),
        ])
    func `private data is removed from a text`(text: String, expected: String) {
        #expect(Self.redaction.redacted(text) == expected)
    }

    @Test func `secrets are the values of secret variables and the contents of key files`() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: file) }
        try Data("# a key\nfilesecret12\n".utf8).write(to: file)
        let environment = Environment([
            "KOBIS_API_KEY": "/kobis/secret\"", "SOME_TOKEN": "tokensecret", "KAKAO_REST_API_KEY_FILE": file.path,
            "OTHER_KEY_FILE": "/there/is/none", "HOME": "/", "LANG": "korean",
        ])
        let redaction = Redaction(environment, host: nil)
        #expect(
            redaction.redacted("/kobis/secret\" tokensecret filesecret12 korean /x")
                == "[secret] [secret] [secret] korean /x")
    }

    @Test func `only texts are changed, not keys or other values`() throws {
        let tree = JSONTree.object([
            "box": .array([.text("box"), .whole(.max), .number(0.5), .flag(true), .null]), "b": .object([:]),
        ])
        let read = try JSONBytes.decode(JSONTree.self, from: JSONBytes.encode(tree))
        #expect(read == tree)
        let changed = read.mapTexts { $0.uppercased() }
        #expect(
            changed
                == .object([
                    "box": .array([.text("BOX"), .whole(.max), .number(0.5), .flag(true), .null]), "b": .object([:]),
                ]))
    }
}
