import Assembly
import Localization
import ProcessKit
import Wording

/// How a query was answered: one lane for each instance with a bar for each request, and the same as a table.
struct HowPage {
    let frame: PageFrame

    private static let width = 1000
    private static let row = 12
    /// The middle of a lane's first bar is the middle of its label.
    private static let textBase = 15
    private static let barTop = 4
    private static let labels = 220

    private var language: Language { frame.language }
    private var wording: ExplanationWording { ExplanationWording(language: language) }

    /// - Parameter query: 16 hexadecimal digits.
    func values(_ record: ExplanationStore.Record, query: String) -> [String: Any] {
        let explanation = record.explanation
        let title = language("이 답은 어떻게 왔나요?", "How was this answered?")
        var values = frame.values(.how(query), title: title, description: title, isIndexed: false)
        values["answer"] = ["href": frame.localized(record.page), "text": language("답으로 돌아가기", "Back to the answer")]
        values["activity"] = frame.link(
            .activity(ActivityFilter()), language("지금 오가는 메시지", "Messages as they happen"))
        values["queryName"] = language("질의", "Query")
        values["queryID"] = query
        values["summary"] = Self.summary(explanation, language)
        values["sum"] = wording.sum(explanation, own: "web")
        values["caption"] = language("주고받은 요청", "Requests")
        values["lanesLabel"] = language(
            "인스턴스마다 요청이 걸린 시간. 같은 내용이 아래 표에 있습니다.",
            "The time of each request by instance; the table below has the same.")
        values["criticalName"] = language("임계 경로", "critical path")
        values.merge(lanes(explanation)) { $1 }
        values["heads"] = [
            language("시작(ms)", "start (ms)"), language("소요", "took"), language("누가", "who"), language("무엇", "what"),
            language("캐시, 결과", "cache, outcome"), language("대기", "queued"), language("작업", "work"),
            language("업스트림", "upstream"),
        ]
        values["steps"] = explanation.steps.enumerated().map { place, step in
            [
                "critical": explanation.critical.contains(place), "start": wording.milliseconds(step.start),
                "took": wording.milliseconds(step.took), "who": step.instance ?? "-", "what": step.what,
                "outcome": wording.outcome(step), "queued": step.queued.map(wording.milliseconds) ?? "",
                "work": step.work.map(wording.milliseconds) ?? "",
                "upstream": step.upstream.map(wording.milliseconds) ?? "",
            ] as [String: Any]
        }
        return values
    }

    /// "23 messages · 318.4 ms": a request and its reply are two messages.
    static func summary(_ explanation: QueryExplanation, _ language: Language) -> String {
        let messages = explanation.steps.reduce(0) { $0 + ($1.instance == nil ? 1 : 2) }
        let time = ExplanationWording(language: language).milliseconds(explanation.wall)
        return language("메시지 \(messages)개 · \(time) ms", "\(messages) messages · \(time) ms")
    }

    /// A bar for each request in the lane of its instance, in the units of the picture's view box. Requests that one
    /// instance answers at the same time are below each other.
    private func lanes(_ explanation: QueryExplanation) -> [String: Any] {
        let wall = max(1, explanation.wall.wholeMicroseconds)
        func place(_ duration: Duration) -> Int {
            // A step may end after the answer: a request that was no longer awaited.
            Self.labels + min(Self.width, duration.wholeMicroseconds * Self.width / wall)
        }
        let byInstance = Dictionary(grouping: explanation.steps.indices) { explanation.steps[$0].instance ?? "-" }
        let lanes = byInstance.sorted { ($0.value[0], $0.key) < ($1.value[0], $1.key) }
        var (names, bars): ([[String: Any]], [[String: Any]]) = ([], [])
        var top = 0
        for (name, steps) in lanes {
            names.append(["laneName": name, "y": top + Self.textBase])
            var rowEnds: [Duration] = []
            for index in steps {
                let step = explanation.steps[index]
                let row = rowEnds.firstIndex { $0 <= step.start } ?? rowEnds.endIndex
                if row == rowEnds.endIndex { rowEnds.append(step.end) } else { rowEnds[row] = step.end }
                bars.append([
                    "x": place(step.start), "y": top + Self.barTop + row * Self.row,
                    "width": max(2, place(step.end) - place(step.start)),
                    "barClass": explanation.critical.contains(index) ? "bar critical" : "bar",
                ])
            }
            top += max(Self.textBase, rowEnds.count * Self.row) + Self.row
        }
        return [
            "viewWidth": Self.labels + Self.width, "viewHeight": top, "names": names, "bars": bars,
            "barHeight": Self.row - 2,
        ]
    }
}
