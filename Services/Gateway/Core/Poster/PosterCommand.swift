import ArgumentParser
import Assembly
import CommandKit
import ProcessKit
import Records

struct PosterCommand: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "poster",
            abstract: say(
                "영화 포스터 출력 및 고정", "Show a film's poster, or pin another image."),
            discussion: """
                EXAMPLES
                  \(Installation.gateway) poster '#1'
                  \(Installation.gateway) poster '#1' --save poster.jpg
                  \(Installation.gateway) poster pin '#1'            \(say("찾은 이미지를 번호와 함께 출력", "list the images found"))
                  \(Installation.gateway) poster pin '#1' 2          \(say("2번 이미지로 고정", "always use image 2"))
                  \(Installation.gateway) poster unpin '#1'          \(say("고정 해제", "use the image that a search finds"))
                """, subcommands: [Find.self, Pin.self, Unpin.self], defaultSubcommand: Find.self)
    }

    struct Find: FieldCommand {
        static var configuration: CommandConfiguration {
            CommandConfiguration(
                commandName: "find",
                abstract: say("영화 포스터 출력", "Show a film's poster."),
                discussion: """
                    EXAMPLES
                      \(Installation.gateway) poster '#1' --save first.png
                      \(Installation.gateway) poster '#1' --save - | chafa -
                      \(Installation.gateway) poster '#1' --no-image --json
                    """)
        }
        static var fieldNames: [String] { FilmRecord.posterFields.map(\.name) }

        @OptionGroup var film: FilmArgument
        @Option(help: .words("이미지를 저장할 파일(-는 stdout)", "File to write the image to (- for stdout)."))
        var save: String?
        @Flag(
            help: .words(
                "이미지 없이 링크만 출력",
                "Print the link only, even if the terminal can show the image."))
        var noImage = false
        @OptionGroup var format: FormatOptions
        @OptionGroup var policy: PolicyOptions
        @OptionGroup var common: CommonOptions

        func validate() throws {
            guard save == nil || !policy.offline else {
                throw ValidationError.usage(
                    "--save와 --offline은 함께 쓸 수 없습니다. 이미지는 받아야 합니다.",
                    "--save and --offline cannot be used together: the image has to be fetched.")
            }
            guard save == nil || ([nil, .text, .json].contains(format.format) && format.fields == nil) else {
                throw ValidationError.usage(
                    "--save의 결과는 글이나 JSON으로만 나옵니다.", "--save prints its result as text or JSON only.")
            }
            guard save != "-" || !(common.isJSON || format.format == .json || format.explain) else {
                throw ValidationError.usage(
                    "--save -는 이미지를 stdout에 쓰므로 --json, --explain과 함께 쓸 수 없습니다.",
                    "--save - writes the image to stdout, and excludes --json and --explain.")
            }
        }

        func answer(in context: CommandContext) async throws -> Answer {
            let day = try film.day(in: context)
            return try await common.answer(in: context, policy, format: format) { commands in
                guard let save else {
                    var painter: ImagePainter?
                    if !noImage, !policy.offline, let terminal = commands.terminal {
                        painter = await ImagePainter(on: terminal)
                    }
                    return try await commands.poster(of: film.reference, on: day, painter: painter)
                }
                return try await commands.savePoster(of: film.reference, on: day, to: save)
            }
        }
    }

    struct Pin: AnsweringCommand {
        static var configuration: CommandConfiguration {
            CommandConfiguration(
                commandName: "pin",
                abstract: say(
                    "검색된 이미지를 포스터로 고정(번호 없이: 목록)",
                    "Pin one of the images found for a film (without a number: list them)."),
                discussion: """
                    EXAMPLES
                      \(Installation.gateway) poster pin '#1'
                      \(Installation.gateway) poster pin '#1' 2
                    """)
        }

        @OptionGroup var film: FilmArgument
        @Argument(help: .words("이미지 번호, 1부터 (기본값: 목록 출력)", "Number of the image, from 1 (default: list the images)."))
        var number: Int?
        @OptionGroup var common: CommonOptions

        func answer(in context: CommandContext) async throws -> Answer {
            let (film, day) = (film.reference, try film.day(in: context))
            return try await common.answer(in: context) { commands in
                guard let number else { return try await commands.posterCandidates(of: film, on: day) }
                return try await commands.pinPoster(of: film, on: day, number: number)
            }
        }
    }

    struct Unpin: AnsweringCommand {
        static var configuration: CommandConfiguration {
            CommandConfiguration(
                commandName: "unpin",
                abstract: say("포스터 고정 해제", "Unpin a film's poster."),
                discussion: """
                    EXAMPLES
                      \(Installation.gateway) poster unpin '#1'
                    """)
        }

        @OptionGroup var film: FilmArgument
        @OptionGroup var common: CommonOptions

        func answer(in context: CommandContext) async throws -> Answer {
            let day = try film.day(in: context)
            return try await common.answer(in: context) { try await $0.unpinPoster(of: film.reference, on: day) }
        }
    }
}
