public import Assembly
public import Contracts
public import Envelope
public import Localization

/// Why a part of an answer is missing or stale, and whether the answer is complete.
public struct PartWording: Sendable {
    private let language: Language

    public init(language: Language) {
        self.language = language
    }

    public var chart: String { language("차트", "chart") }
    public var search: String { language("검색", "search") }
    public var archive: String { language("아카이브", "archive") }
    public var image: String { language("이미지", "image") }

    public func name(_ part: FilmPart) -> String {
        switch part {
        case .detail: language("상세", "detail")
        case .poster: language("포스터", "poster")
        }
    }

    /// That a part has no value, in two or three words.
    ///
    /// - Parameter name: of the part.
    public func missing(_ part: PartOutcome?, _ name: String) -> String {
        part?.status == .failed ? language("\(name) 없음", "no \(name)") : language("\(name) 시간 초과", "\(name) too late")
    }

    /// The reason why a part is missing or stale; none for a part that is ok.
    ///
    /// - Parameters:
    ///   - name: of the part.
    ///   - line: a failure as the program shows it.
    public func note(
        _ part: PartOutcome?, _ name: String, line: (Failure) -> String
    ) -> [String] {
        guard let part else { return ["\(name): \(language("도착하지 않음", "did not arrive"))"] }
        let reason =
            part.isRevalidating
            ? language("새 자료를 요청했습니다.", "A fresh one has been asked for.") : part.failure.map(line)
        switch part.status {
        case .ok: return []
        case .failed, .timeout: return ["\(name): \(reason ?? part.status.rawValue)"]
        case .stale:
            let age = (part.cache?.age).map { " (\(AgeText(language: language).text($0)))" } ?? ""
            let cause = reason.map { " — \($0)" } ?? ""
            return ["\(name): \(language("오래된 자료", "stale"))\(age)\(cause)"]
        }
    }

    /// The reasons why parts of a film are missing or stale.
    public func notes(_ film: ShowAssembly.Film, line: (Failure) -> String) -> [String] {
        FilmPart.allCases.flatMap { note(film[$0], name($0), line: line) }
    }

    /// A note with the ranks of the films that it concerns.
    public func shared(_ note: String, ranks: String) -> String {
        language("\(ranks)위 \(note)", "\(ranks.contains { !$0.isNumber } ? "Nos." : "No.") \(ranks) \(note)")
    }

    /// How much of an answer is missing or stale; nil for a complete answer.
    public func incompleteness(_ assembly: ShowAssembly) -> String? {
        guard !assembly.isComplete else { return nil }
        let stale = assembly.parts.count { $0.status == .stale }
        let bad = assembly.missing.count + assembly.parts.count { $0.status != .ok }
        if bad == stale {
            return language(
                "모두 도착했지만 \(stale)개 부분은 오래된 자료입니다.",
                "All parts arrived, but \(stale == 1 ? "1 is" : "\(stale) are") stale.")
        }
        let parts = bad == 1 ? "1 part has" : "\(bad) parts have"
        return language("일부만 도착했습니다: \(bad)개 부분에 문제가 있습니다.", "Partial answer: \(parts) a problem.")
    }
}
