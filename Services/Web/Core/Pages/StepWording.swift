import Assembly
import Contracts
import Domain
import Localization

/// A request of a query in the words of a reader.
struct StepWording {
    let language: Language
    /// The titles of films by code, as far as the page knew them.
    let titles: [String: String]

    /// "차트 2022-01-05", "상세 경관의 피", "캐시 조회 20건".
    func name(_ step: QueryStep) -> String {
        let words = step.what.split(separator: " ", maxSplits: 1).map(String.init)
        guard let first = words.first else { return step.what }
        let rest = words.count > 1 ? words[1] : ""
        let subject = titles[rest] ?? rest
        switch first {
        case "chart": return language("차트 \(subject)", "chart \(subject)")
        case "movie": return language("상세 \(subject)", "details of \(subject)")
        case "poster": return language("포스터 \(subject)", "poster of \(subject)")
        case "image": return language("이미지 \(subject)", "image of \(subject)")
        case "search": return language("검색 \(subject)", "search for \(subject)")
        case "peek":
            let count = rest.prefix { $0.isNumber }
            return language("캐시 조회 \(count)건", "cache lookup (\(count))")
        case "archive": return archive(rest)
        default: return step.what
        }
    }

    private func archive(_ rest: String) -> String {
        let words = rest.split(separator: " ", maxSplits: 1).map(String.init)
        let subject = words.count > 1 ? (titles[words[1]] ?? words[1]).replacing("..", with: " ~ ") : ""
        let name =
            switch words.first {
            case "run": language("흥행 기록", "run of")
            case "top": language("관객 순위", "ranking of")
            case "share": language("국적별 비중", "countries of")
            case "leaders": language("1위", "leaders of")
            case "records": language("기록", "records")
            case "titles": language("제목 찾기", "titles")
            default: language("차트", "charts of")
            }
        return "\(language("아카이브", "archive:")) \(name) \(subject)"
    }

    /// "캐시 사용", "가져옴, 저장", "실패".
    func outcome(_ step: QueryStep) -> String {
        var words: [String] = []
        if step.kind == CachePeekRequest.kind {
            words.append(counts(step.cache ?? ""))
        } else if let cache = step.cache {
            words += cache.split(separator: ";").map { word(String($0.drop { $0 == " " })) }
        }
        switch step.status {
        case "ok": break
        case "stale": words.append(language("만료된 자료 사용", "expired data used"))
        case PartOutcome.revalidating: words.append(language("백그라운드에서 갱신", "refreshed in the background"))
        default: words.append(language("실패", "failed"))
        }
        if let calls = step.upstreamCalls, calls > 1 { words.append(language("\(calls)번 시도", "\(calls) tries")) }
        return words.isEmpty ? language("응답", "answered") : words.joined(separator: ", ")
    }

    private func word(_ cache: String) -> String {
        switch cache {
        case "hit": language("캐시 사용", "from the cache")
        case "stored": language("저장", "stored")
        case "collapsed": language("같은 요청과 공유", "shared with an equal request")
        case "fwd=stale": language("만료되어 다시 가져옴", "expired, fetched again")
        case _ where cache.hasPrefix("fwd="): language("새로 가져옴", "fetched")
        default: cache
        }
    }

    /// "14 hit, 6 miss" as "있음 14, 없음 6".
    private func counts(_ summary: String) -> String {
        summary.split(separator: ",").map { part in
            let words = part.split(separator: " ")
            guard words.count == 2 else { return String(part) }
            let (count, kind) = (words[0], words[1])
            switch kind {
            case "hit": return language("있음 \(count)", "\(count) found")
            case "miss": return language("없음 \(count)", "\(count) missing")
            case "stale": return language("만료 \(count)", "\(count) expired")
            default: return part.trimmingPrefix(" ").description
            }
        }.joined(separator: ", ")
    }
}
