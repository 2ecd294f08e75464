import Localization
import ProcessKit
import Testing

@testable import TerminalText

@Suite struct StyleTests {
    private let coloured = TextStyle(isTerminal: true, isUnwanted: false, Environment([:]))

    @Test(
        arguments: [
            (true, false, [:], true), (false, false, [:], false), (true, true, [:], false),
            (true, false, ["TERM": "xterm"], true), (true, false, ["TERM": "dumb"], false),
            (true, false, ["NO_COLOR": "1"], false), (true, false, ["NO_COLOR": "0"], false),
            // An empty variable has no effect (no-color.org).
            (true, false, ["FORCE_COLOR": "0"], false), (true, false, ["FORCE_COLOR": "False"], false),
            (false, false, ["CLICOLOR_FORCE": "1"], true), (false, false, ["CLICOLOR_FORCE": "0"], false),
            (true, false, ["CLICOLOR": "0"], false), (true, false, ["CLICOLOR": "0", "FORCE_COLOR": "1"], true),
            (true, false, ["CLICOLOR": "1"], true), (false, false, ["CLICOLOR_FORCE": "1", "NO_COLOR": "1"], false),
            (true, false, ["NO_COLOR": ""], true), (false, false, ["FORCE_COLOR": ""], false),
            (false, false, ["FORCE_COLOR": "1"], true), (false, false, ["FORCE_COLOR": "1", "TERM": "dumb"], true),
            // The option disables colour in any case.
            (false, true, ["FORCE_COLOR": "1"], false), (true, false, ["FORCE_COLOR": "1", "NO_COLOR": "1"], false),
        ] as [(Bool, Bool, [String: String], Bool)])
    func `colour is used on terminals that support it or when forced, never when disabled`(
        isTerminal: Bool, isUnwanted: Bool, variables: [String: String], isColoured: Bool
    ) {
        let style = TextStyle(isTerminal: isTerminal, isUnwanted: isUnwanted, Environment(variables))
        #expect(style.isColoured == isColoured)
        #expect((style.red("x") == "x") == !isColoured)
    }

    @Test func `each colour is reset after its text`() {
        #expect(coloured.red("a") == "\u{1B}[31ma\u{1B}[0m")
        #expect(coloured.blue("a") == "\u{1B}[34ma\u{1B}[0m")
        #expect(coloured.dim("a") == "\u{1B}[2ma\u{1B}[0m")
        #expect([TextStyle.plain.red("a"), TextStyle.plain.blue("a"), TextStyle.plain.dim("a")] == ["a", "a", "a"])
    }

    @Test(
        arguments: [
            ([:], .ko), (["LANG": "ko_KR.UTF-8"], .ko), (["LANG": "en_US.UTF-8"], .en), (["LANG": "en"], .en),
            (["LANG": "C.UTF-8"], .ko), (["LANG": ""], .ko), (["LANG": "en_US", "LC_MESSAGES": "ko_KR"], .ko),
            (["LANG": "ko_KR", "LC_MESSAGES": "en_GB"], .en), (["LC_ALL": "ko_KR", "LC_MESSAGES": "en_GB"], .ko),
            (["LC_ALL": "", "LC_MESSAGES": "", "LANG": "en_US"], .en), (["LC_CTYPE": "en_US.UTF-8"], .ko),
        ] as [([String: String], Language)])
    func `the language is that of the locale, Korean by default`(variables: [String: String], language: Language) {
        #expect(Language(Environment(variables)) == language)
    }
}
