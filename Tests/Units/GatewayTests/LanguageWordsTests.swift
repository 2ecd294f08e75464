import Localization
import ProcessKit
import Testing

@testable import GatewayCore

@Suite struct LanguageWordsTests {
    @Test(
        arguments: [
            ("", .ko), ("C", .ko), ("C.UTF-8", .ko), ("POSIX", .ko), ("ko_KR.UTF-8", .ko), ("ko", .ko),
            ("en_GB.UTF-8", .en),
            ("en", .en), ("de_DE.UTF-8", .en), ("kok_IN", .en), ("C_anything", .ko),
        ] as [(String, Language)])
    func `Korean is the language of a Korean locale and of none`(locale: String, language: Language) {
        #expect(Language(Environment(["LANG": locale])) == language)
        #expect(Language(Environment(["LC_ALL": locale, "LANG": "xx"])) == (locale.isEmpty ? .en : language))
    }

    @Test func `the setting takes precedence over the locale, and the option over both`() async throws {
        let variables = ["BOXOFFICE_LANG": "en", "LANG": "ko_KR.UTF-8", "BOXOFFICE_CONFIG": "/dev/null"]
        #expect(Language(Environment(variables)) == .en)
        for (line, first) in [
            (["help", "show"], "OVERVIEW: Show a day"), (["--lang", "ko", "help", "show"], "개요: 일별 차트를"),
            (["help", "--lang=ko", "show"], "개요: 일별 차트를"),
            (["--lang=ko", "show", "--help", "--lang", "en"], "OVERVIEW: Show a day"),
        ] {
            let printed = await GatewayScene.gateway(line, environment: variables)
            #expect(printed.status == 0 && printed.output.hasPrefix(first), "\(line): \(printed)")
        }
    }

    @Test func `a language that there is not is refused`() async {
        for line in [["show", "--lang", "fr"], ["--lang"], ["--lang=", "show"]] {
            let printed = await GatewayScene.gateway(line)
            #expect(printed.status == 64 && printed.errors.hasPrefix("gateway: --lang은 ko나 en입니다.\n"), "\(printed)")
        }
        let printed = await GatewayScene.gateway(
            ["ping"], environment: ["BOXOFFICE_LANG": "fr", "BOXOFFICE_CONFIG": "/dev/null"])
        #expect(
            printed.status == 78 && printed.errors.contains("BOXOFFICE_LANG=fr: ko나 en만 쓸 수 있습니다(use ko or en)."),
            "\(printed)")
    }
}
