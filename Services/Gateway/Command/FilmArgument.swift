import ArgumentParser
import GatewayCore
import ProcessKit

/// A film by its code.
struct FilmArgument: ParsableArguments {
    @Argument(
        help: .words(
            "영화 코드. chart --json에 나오는 여덟 글자.",
            "The film's KOBIS code, 8 letters and digits, as gateway chart --json shows it."),
        completion: FilmCompletion.kind)
    var filmCode: String

    var code: String { filmCode.uppercased() }

    func validate() throws {
        guard filmCode.wholeMatch(of: /[0-9A-Za-z]{8}/) != nil else {
            throw ValidationError.usage(
                "'\(filmCode.printable)'은(는) 영화 코드가 아닙니다. 20199882 같은 여덟 글자입니다.",
                "'\(filmCode.printable)' is no film code: 8 letters and digits, as 20199882.")
        }
    }
}
