public import Domain
public import Localization

/// The texts of what is known of a film's run.
public struct RunWording: Sendable {
    private let language: Language

    public init(language: Language) {
        self.language = language
    }

    /// Its admissions, and the averages of the last day; a field that is unknown is left out.
    public func fields(_ run: FilmRun) -> [(label: String, text: String)] {
        let total = run.audienceTotal.withSeparators
        return [
            (
                language("누적 관객", "Total"),
                language("\(total)명 (\(run.lastDay) 기준)", "\(total) admissions as of \(run.lastDay)")
            ),
            (language("평균", "Average"), average(run)),
        ].compactMap { label, text in text.map { (label, $0) } }
    }

    private func average(_ run: FilmRun) -> String? {
        let words = [
            run.audiencePerScreen.map { language("스크린당 \($0)명", "\($0) a screen") },
            run.averagePrice.map { price in
                let won = Int(exactly: price.rounded())?.withSeparators ?? "\(price)"
                return language("한 명당 \(won)원", "\(won) won each")
            },
        ].compactMap(\.self)
        return words.isEmpty ? nil : "\(words.joined(separator: ", ")) (\(run.lastDay))"
    }
}
