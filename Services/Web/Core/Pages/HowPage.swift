import Assembly
import Localization
import ProcessKit
import Wording

/// How a query was answered: one lane for each instance with a bar for each request, and the same as a table.
struct HowPage {
    let frame: PageFrame

    private static let width = 1000
    private static let rowHeight = 12
    /// The middle of a lane's first bar is the middle of its label.
    private static let textBase = 15
    private static let barTop = 4
    private static let labels = 220

    private var language: Language { frame.language }
    private var wording: ExplanationWording { ExplanationWording(language: language) }

    /// - Parameter query: 16 hexadecimal digits.
    func html(_ record: ExplanationStore.Record, query: String) -> [UInt8] {
        let explanation = record.explanation
        let title = language("이 답은 어떻게 왔나요?", "How was this answered?")
        let activity = frame.link(.activity(ActivityFilter()), language("지금 오가는 메시지", "Messages as they happen"))
        return frame.page(
            PageHead(address: .how(query), title: title, description: title, isIndexed: false),
            """
            <div class="head"><p class="kind">\(language("질의", "Query")) \(query)</p><h1>\(title)</h1>\
            <p class="state">\(Self.summary(explanation, language))</p></div>
            <p><a href="\(frame.localized(record.page))">‹ \(language("답으로 돌아가기", "Back to the answer"))</a> · \
            <a href="\(activity.href)">\(activity.text)</a></p>
            \(lanes(explanation))<p class="legend"><span class="critical" aria-hidden="true"></span> \
            \(critical): \(wording.sum(explanation, own: "web"))</p>
            \(table(explanation))
            """)
    }

    private var critical: String { language("임계 경로", "critical path") }

    private func table(_ explanation: QueryExplanation) -> HTML {
        let caption = language("주고받은 요청", "Requests")
        let heads = [
            language("시작(ms)", "start (ms)"), language("소요", "took"), language("누가", "who"), language("무엇", "what"),
            language("캐시, 결과", "cache, outcome"), language("대기", "queued"), language("작업", "work"),
            language("업스트림", "upstream"),
        ]
        let rows = explanation.steps.enumerated().map { place, step in
            row(step, isCritical: explanation.critical.contains(place))
        }
        return """
            <div class="scroll" tabindex="0" role="region" aria-label="\(caption)"><table class="steps">\
            <caption>\(caption)</caption>
            <thead><tr>\(heads.map { "<th scope=\"col\">\($0)</th>" })</tr></thead>
            <tbody>
            \(rows)</tbody></table></div>

            """
    }

    private func row(_ step: QueryStep, isCritical: Bool) -> HTML {
        let style: HTML? = isCritical ? " class=\"critical\"" : nil
        let mark: HTML? = isCritical ? " <abbr title=\"\(critical)\">◀</abbr>" : nil
        let times = [step.queued, step.work, step.upstream].map { time -> HTML in
            "<td>\(time.map(wording.milliseconds) ?? "")</td>"
        }
        return """
            <tr\(style)><td>\(wording.milliseconds(step.start))</td><td>\(wording.milliseconds(step.took))\(mark)</td>\
            <td>\(step.instance ?? "-")</td><td>\(step.what)</td><td>\(wording.outcome(step))</td>\(times)</tr>

            """
    }

    /// "23 messages · 318.4 ms": a request and its reply are two messages.
    static func summary(_ explanation: QueryExplanation, _ language: Language) -> String {
        let messages = explanation.steps.reduce(0) { $0 + ($1.instance == nil ? 1 : 2) }
        let time = ExplanationWording(language: language).milliseconds(explanation.wall)
        return language("메시지 \(messages)개 · \(time) ms", "\(messages) messages · \(time) ms")
    }

    /// A bar for each request in the lane of its instance, in the units of the picture's view box. Requests that one
    /// instance answers at the same time are below each other.
    private func lanes(_ explanation: QueryExplanation) -> HTML {
        let byInstance = Dictionary(grouping: explanation.steps.indices) { explanation.steps[$0].instance ?? "-" }
        let lanes = byInstance.sorted { ($0.value[0], $0.key) < ($1.value[0], $1.key) }
        var (names, bars): ([HTML], [HTML]) = ([], [])
        var top = 0
        for (name, steps) in lanes {
            names.append("<text x=\"0\" y=\"\(top + Self.textBase)\">\(name)</text>\n")
            var rowEnds: [Duration] = []
            for index in steps {
                let step = explanation.steps[index]
                let row = rowEnds.firstIndex { $0 <= step.start } ?? rowEnds.endIndex
                if row == rowEnds.endIndex { rowEnds.append(step.end) } else { rowEnds[row] = step.end }
                bars.append(bar(index, of: explanation, y: top + Self.barTop + row * Self.rowHeight))
            }
            top += max(Self.textBase, rowEnds.count * Self.rowHeight) + Self.rowHeight
        }
        let label = language(
            "인스턴스마다 요청이 걸린 시간. 같은 내용이 아래 표에 있습니다.",
            "The time of each request by instance; the table below has the same.")
        return """
            <figure class="lanes" tabindex="0"><svg viewBox="0 0 \(Self.labels + Self.width) \(top)" role="img" \
            aria-label="\(label)">
            \(names)\(bars)</svg></figure>

            """
    }

    private func bar(_ index: Int, of explanation: QueryExplanation, y: Int) -> HTML {
        let wall = max(1, explanation.wall.wholeMicroseconds)
        func place(_ duration: Duration) -> Int {
            // A step may end after the answer: a request that was no longer awaited.
            Self.labels + min(Self.width, duration.wholeMicroseconds * Self.width / wall)
        }
        let step = explanation.steps[index]
        let start = place(step.start)
        let style = explanation.critical.contains(index) ? "bar critical" : "bar"
        return """
            <rect class="\(style)" x="\(start)" y="\(y)" width="\(max(2, place(step.end) - start))" \
            height="\(Self.rowHeight - 2)" rx="2"/>

            """
    }
}
