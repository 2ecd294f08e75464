import Localization
import ProcessKit
import TerminalText
import Testing

@testable import GatewayCore

@Suite struct LanguageWordsTests {
    @Test(
        arguments: [
            ("show", "en_GB.UTF-8", .en), ("show", "", .ko), ("show --lang en", "ko_KR.UTF-8", .en),
            ("show --lang=ko --hlep", "en", .ko), ("--lang en show --lang ko", "en", .ko), ("show --lang", "en", .en),
            ("show --lang fr", "en", .en), ("movie -- --lang=en", "ko", .ko),
        ] as [(String, String, Language)])
    func `the --lang option takes precedence over the locale`(line: String, locale: String, language: Language) {
        let words = line.split(separator: " ").map(String.init)
        #expect(Language(words: words, Environment(["LANG": locale])) == language)
    }
}
