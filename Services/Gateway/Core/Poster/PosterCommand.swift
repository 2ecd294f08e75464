import ArgumentParser
import Assembly
import CommandKit
import ProcessKit

struct PosterCommand: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "poster",
            abstract: say(
                "영화의 포스터. pin으로 다른 이미지를 고름.", "The poster of a film; pin chooses another image for it."),
            discussion: """
                EXAMPLES
                  gateway poster '#1'
                  gateway poster '#1' --save poster.jpg
                  gateway poster 20199882            \(say("고정한 이미지가 있으면 그것으로", "with the image that was pinned, if one was"))
                  gateway poster pin 20199882        \(say("찾은 이미지를 번호와 함께", "the images that were found, numbered"))
                  gateway poster pin 20199882 2      \(say("unpin할 때까지 둘째를 씀", "keeps the second until unpin"))
                  gateway poster unpin 20199882
                """, subcommands: [Find.self, Pin.self, Unpin.self], defaultSubcommand: Find.self)
    }

    struct Find: AnsweringCommand {
        static var configuration: CommandConfiguration {
            CommandConfiguration(
                commandName: "find",
                abstract: say("영화의 포스터.", "The poster of a film."),
                discussion: """
                    EXAMPLES
                      gateway poster '#1' --save first.png
                      gateway poster '#1' --save - | chafa -
                      gateway poster 20199882 --no-image --json
                    """)
        }

        @OptionGroup var film: FilmArgument
        @Option(help: .words("이미지를 저장할 파일. -는 stdout.", "File to write the image to; - is stdout."))
        var save: String?
        @Flag(
            help: .words(
                "링크만. 터미널에서는 chafa가 있으면 이미지를 보여 줌.",
                "The link alone; in a terminal the image is shown by chafa where that is installed."))
        var noImage = false
        @OptionGroup var format: FormatOptions
        @OptionGroup var policy: PolicyOptions
        @OptionGroup var common: CommonOptions

        func validate() throws {
            guard save == nil || !policy.offline else {
                throw ValidationError.usage(
                    "--save와 --offline은 함께 쓸 수 없습니다. 이미지는 받아야 합니다.",
                    "--save and --offline exclude each other: the image has to be fetched.")
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
            try await common.answer(in: context, policy, format: format) { commands in
                let day = try film.day(in: context)
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
                    "찾은 이미지 하나를 고정함. 번호 없이는 나열함.",
                    "Keeps one of the images that were found for a film; without a number it lists them."),
                discussion: """
                    EXAMPLES
                      gateway poster pin 20199882
                      gateway poster pin 20199882 2
                      gateway poster pin '#1' 2
                    """)
        }

        @OptionGroup var film: FilmArgument
        @Argument(help: .words("몇째 이미지인지, 1부터. 기본값: 나열.", "Which image, from 1; default: list them."))
        var number: Int?
        @OptionGroup var common: CommonOptions

        func answer(in context: CommandContext) async throws -> Answer {
            try await common.answer(in: context) { commands in
                let (film, day) = (film.reference, try film.day(in: context))
                guard let number else { return try await commands.posterCandidates(of: film, on: day) }
                return try await commands.pinPoster(of: film, on: day, number: number)
            }
        }
    }

    struct Unpin: AnsweringCommand {
        static var configuration: CommandConfiguration {
            CommandConfiguration(
                commandName: "unpin",
                abstract: say("검색이 다시 포스터를 고르게 함.", "Lets the search choose a film's poster again."),
                discussion: """
                    EXAMPLES
                      gateway poster unpin 20199882
                    """)
        }

        @OptionGroup var film: FilmArgument
        @OptionGroup var common: CommonOptions

        func answer(in context: CommandContext) async throws -> Answer {
            try await common.answer(in: context) {
                try await $0.unpinPoster(of: film.reference, on: film.day(in: context))
            }
        }
    }
}
