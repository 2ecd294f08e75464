import Localization
import ProcessKit
import Testing

@testable import GatewayCore

@Suite struct CommandLineWordsTests {
    @Test(
        arguments: [
            (["show", "-1d"], ["show", "--", "-1d"]),
            (["show", "-30d", "--top", "3"], ["show", "--top", "3", "--", "-30d"]),
            (["movie", "#1", "--date", "-1d"], ["movie", "#1", "--date=-1d"]),
            (["show", "--", "-1d"], ["show", "--", "-1d"]),
            (["chart", "-2w", "--wide"], ["chart", "--wide", "--", "-2w"]),
            (["chart", "--json=rank,title"], ["chart", "--json", "--fields", "rank,title"]),
            (["help", "show", "--lang", "en"], ["help", "show"]), (["help", "--lang=ko", "show"], ["help", "show"]),
            (["--lang", "en", "show", "--lang", "ko"], ["show"]),
            (["movie", "--", "--lang", "x"], ["movie", "--", "--lang", "x"]),
            (["chart", "--json="], ["chart", "--json="]), (["-d"], ["-d"]), (["-xd"], ["-xd"]), ([], []),
        ])
    func `words that the parser would misread are rewritten`(given: [String], words: [String]) throws {
        #expect(try CommandLineWords(given).words == words)
    }

    @Test func `an argument that is not valid text is named by its position`() {
        let error = #expect(throws: StartupError.self) {
            try CommandLineWords(["show", "--json=rank", "-1d", "\u{FFFD}"])
        }
        #expect(error?.message.ko == "4번째 인자가 UTF-8 글이 아닙니다." && error?.exitStatus == 64)
    }
}
