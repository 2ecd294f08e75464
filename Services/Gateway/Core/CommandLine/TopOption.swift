import ArgumentParser
import CommandKit

/// How many films of a chart are shown.
struct TopOption: ParsableArguments {
    /// A daily chart has ten films.
    private static let allowed = 1...10

    @Option(
        help: .words("영화 수, 1~10 (JSON의 차트는 항상 전체)", "Number of films, 1 to 10 (the chart in JSON is always whole)."))
    var top = allowed.upperBound

    func validate() throws {
        guard Self.allowed.contains(top) else {
            throw ValidationError.usage(
                "--top에는 1~10을 지정하세요. KOBIS 차트는 10위까지만 제공됩니다.", "--top takes 1 to 10: a chart lists ten films.")
        }
    }
}
