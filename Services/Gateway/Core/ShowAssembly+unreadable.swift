import BoxOffice
import Contracts
public import Envelope

extension ShowAssembly {
    /// The same answer with a failure in the place of each part whose value is not what its contract says.
    func withoutUnreadableParts() -> ShowAssembly {
        guard chart.isReadable(as: Chart.self) else {
            return ShowAssembly(chart: chart.unreadable, codes: [])
        }
        var assembly = ShowAssembly(chart: chart, codes: films.map(\.code))
        for (index, film) in films.enumerated() {
            if let detail = film.detail {
                assembly.arrived(
                    detail.isReadable(as: FilmDetail.self) ? detail : detail.unreadable, for: .detail(index))
            }
            if let poster = film.poster {
                assembly.arrived(poster.isReadable(as: Poster.self) ? poster : poster.unreadable, for: .poster(index))
            }
        }
        return assembly
    }
}

extension PartOutcome {
    /// Whether there is no value, or one that decodes.
    fileprivate func isReadable<Value: Decodable>(as type: Value.Type) -> Bool {
        guard let value else { return true }
        return (try? JSONBytes.decode(type, from: value)) != nil
    }

    fileprivate var unreadable: PartOutcome { .failed(.unreadable, cache: cache, sender: sender) }
}

extension Failure {
    /// A part that arrived, or was stored, and does not decode.
    public static let unreadable = Failure(
        .unreadable,
        LocalizedText(
            ko: "받은 자료를 읽을 수 없습니다. --refresh로 새로 받으세요.",
            en: "What arrived cannot be read. Fetch it anew with --refresh."),
        isRetryable: true)
}
