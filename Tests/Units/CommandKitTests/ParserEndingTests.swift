import ArgumentParser
import CommandKit
import Localization
import ProcessKit
import Testing

@Suite struct ParserEndingTests {
    private struct Fetch: ParsableCommand {
        enum Kind: String, CaseIterable, ExpressibleByArgument {
            case daily, weekly
        }

        static let configuration = CommandConfiguration(version: "1")

        @Argument var day: String
        @Option var kind = Kind.daily
        @Flag(exclusivity: .exclusive) var order = Order.up

        enum Order: EnumerableFlag {
            case up, down
        }
    }

    private static func ending(_ words: [String], in language: Language) throws -> ParserEnding {
        let error = try #require(throws: (any Error).self) { try Fetch.parse(words) }
        return ParserEnding(error, of: Fetch.self, program: "fetch", in: language)
    }

    @Test(arguments: [
        (["--kimd", "daily"], "'--kimd' 옵션은 없습니다. '--kind'인가요?"),
        (["2022-01-05", "--frobnicate"], "'--frobnicate' 옵션은 없습니다."),
        ([], "'<day>' 인자를 지정하세요."), (["a", "b"], "'b' 인자는 받지 않습니다."), (["a", "b", "c"], "받지 않는 인자 2개: 'b', 'c'."),
        (["a", "--kind"], "'--kind <kind>' 옵션에 값이 없습니다."), (["a", "--up=x"], "'--up' 옵션은 값을 받지 않습니다('x')."),
        (["a", "--kind", "x"], "'x': '--kind <kind>'에 쓸 수 없는 값입니다. 쓸 수 있는 값: daily, weekly."),
        (["a", "--up", "--down"], "'--up', '--down' 옵션은 함께 쓸 수 없습니다. 하나만 지정하세요."),
    ])
    func `what is wrong with a command line is in Korean`(words: [String], sentence: String) throws {
        let ending = try Self.ending(words, in: .ko)
        #expect(ending.lines[0] == "fetch: \(sentence)")
        #expect(ending.exitStatus == ExitStatus.usage && !ending.isHelp)
        #expect(ending.text.contains("사용법: ") && !ending.text.contains("Usage: "))
    }

    @Test(arguments: [
        (["a", "b"], "Unexpected argument 'b'."), (["a", "--frobnicate"], "Unknown option '--frobnicate'."),
        // Only a near one is suggested.
        (["a", "--kimd"], "Unknown option '--kimd'. Did you mean '--kind'?"),
        ([], "Missing argument '<day>'."), (["a", "--kind"], "Option '--kind <kind>' needs a value."),
        (["a", "--kind", "x"], "Invalid value 'x' for '--kind <kind>'. Values: daily, weekly."),
        (["a", "--kind", "it's"], "Invalid value 'it's' for '--kind <kind>'. Values: daily, weekly."),
        (["a", "Schindler's List"], "Unexpected argument 'Schindler's List'."),
        (["a", "b's", "c's"], "2 unexpected arguments: 'b's', 'c's'."),
    ])
    func `what is wrong with a command line is in our English`(words: [String], sentence: String) throws {
        #expect(try Self.ending(words, in: .en).lines[0] == "fetch: \(sentence)")
    }

    @Test(arguments: [
        (Language.ko, ["사용법: ", "인자:", "옵션:", "(값: daily, weekly; 기본값: daily)", "도움말 출력", "버전 출력"]),
        (
            .en,
            [
                "USAGE: ", "ARGUMENTS:", "OPTIONS:", "(values: daily, weekly; default: daily)",
                "Show help information.", "Show the version.",
            ]
        ),
    ])
    func `help is requested output in one language`(language: Language, words: [String]) throws {
        let ending = try Self.ending(["--help"], in: language)
        #expect(ending.isHelp)
        for word in words { #expect(ending.text.contains(word), "\(word)") }
    }
}
