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
    /// The height of the axis above the lanes.
    private static let axis = 24
    private static let labels = 220

    private var language: Language { frame.language }
    private var wording: ExplanationWording { ExplanationWording(language: language) }

    /// - Parameter query: 16 hexadecimal digits.
    func html(_ record: ExplanationStore.Record, query: String) -> [UInt8] {
        let explanation = record.explanation
        let title = language("이 답의 처리 과정", "How this was answered")
        let activity = frame.link(.activity(ActivityFilter()), language("실시간 이벤트", "Live events"))
        let words = StepWording(language: language, titles: record.titles)
        return frame.page(
            PageHead(address: .how(query), title: title, description: title, hasJSON: true, isIndexed: false),
            """
            <div class="head"><h1>\(title)</h1>\
            <p class="state">\(Self.summary(explanation, language))</p></div>
            <p><a href="\(frame.href(record.page))">‹ \(language("답으로 돌아가기", "Back to the answer"))</a> · \
            <a href="\(activity.href)">\(activity.text)</a></p>
            \(lanes(explanation, words))<p class="legend"><span class="critical" aria-hidden="true"></span> \
            \(critical): \(wording.sum(explanation, own: "web"))</p>
            \(table(explanation, words))\(terms)
            """)
    }

    private var critical: String { language("임계 경로", "critical path") }

    private var terms: HTML {
        let rows = [
            (language("워커", "worker"), language("요청을 처리하는 프로세스", "the process that handles a request")),
            (language("대기", "queued"), language("브로커의 큐에서 기다린 시간", "time in the broker's queue")),
            (language("처리", "work"), language("워커가 요청을 처리한 시간", "time that the worker took")),
            (
                language("업스트림", "upstream"),
                language("그중 KOBIS나 카카오의 응답을 기다린 시간", "time spent waiting for KOBIS or Kakao")
            ),
            (critical, language("답이 나온 시각을 결정한 요청", "the requests that decided when the answer was complete")),
        ]
        return "<dl class=\"terms\">\(rows.map { "<dt>\($0.0)</dt><dd>\($0.1)</dd>" as HTML })</dl>\n"
    }

    private func table(_ explanation: QueryExplanation, _ words: StepWording) -> HTML {
        let caption = language("주고받은 요청", "Requests")
        let heads = [
            language("시작(ms)", "start (ms)"), language("소요", "duration"), language("워커", "worker"),
            language("요청", "request"), language("결과", "outcome"), language("대기", "queued"), language("처리", "work"),
            language("업스트림", "upstream"),
        ]
        let rows = explanation.steps.enumerated().map { place, step in
            row(step, words, isCritical: explanation.critical.contains(place))
        }
        return """
            <div class="scroll" tabindex="0" role="region" aria-label="\(caption)"><table class="steps">\
            <caption>\(caption)</caption>
            <thead><tr>\(heads.map { "<th scope=\"col\">\($0)</th>" })</tr></thead>
            <tbody>
            \(rows)</tbody></table></div>

            """
    }

    private func row(_ step: QueryStep, _ words: StepWording, isCritical: Bool) -> HTML {
        let style: HTML? = isCritical ? " class=\"critical\"" : nil
        let mark: HTML? = isCritical ? " <abbr title=\"\(critical)\">◀</abbr>" : nil
        let times = [step.queued, step.work, step.upstream].map { time -> HTML in
            "<td>\(time.map(wording.milliseconds) ?? "")</td>"
        }
        return """
            <tr\(style)><td>\(wording.milliseconds(step.start))</td><td>\(wording.milliseconds(step.took))\(mark)</td>\
            <td>\(step.instance ?? "-")</td><td>\(words.name(step))</td><td>\(words.outcome(step))</td>\(times)</tr>

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
    private func lanes(_ explanation: QueryExplanation, _ words: StepWording) -> HTML {
        let byInstance = Dictionary(grouping: explanation.steps.indices) { explanation.steps[$0].instance ?? "-" }
        let lanes = byInstance.sorted { ($0.value[0], $0.key) < ($1.value[0], $1.key) }
        var (names, bars): ([HTML], [HTML]) = ([], [])
        var top = Self.axis
        for (name, steps) in lanes {
            names.append("<text x=\"0\" y=\"\(top + Self.textBase)\">\(name)</text>\n")
            var rowEnds: [Duration] = []
            for index in steps {
                let step = explanation.steps[index]
                let row = rowEnds.firstIndex { $0 <= step.start } ?? rowEnds.endIndex
                if row == rowEnds.endIndex { rowEnds.append(step.end) } else { rowEnds[row] = step.end }
                bars.append(bar(index, of: explanation, words, y: top + Self.barTop + row * Self.rowHeight))
            }
            top += max(Self.textBase, rowEnds.count * Self.rowHeight) + Self.rowHeight
        }
        let label = language(
            "워커별 요청 시간. 아래 표와 같은 내용입니다.",
            "The time of each request by worker; the table below has the same.")
        return """
            <p class="hint">\(language("옆으로 밀면 더 보입니다 →", "Scroll sideways for more →"))</p>
            <figure class="lanes" tabindex="0" role="group" aria-label="\(label)"><svg viewBox="0 0 \(Self.labels + Self.width) \(top)" role="img" \
            aria-label="\(label)">
            <title>\(label)</title>\(ticks(explanation, height: top))\(names)\(bars)</svg></figure>

            """
    }

    /// The axis of time, in steps of 1, 2 or 5.
    private func ticks(_ explanation: QueryExplanation, height: Int) -> [HTML] {
        let wall = max(1, explanation.wall.wholeMicroseconds)
        var step = 1
        while wall / step > 6 {
            let digits = step / Self.power(of: step)
            step = digits == 2 ? step / 2 * 5 : step * 2
        }
        return stride(from: 0, through: wall, by: step).map { time in
            let x = Self.labels + time * Self.width / wall
            let text = wording.milliseconds(.microseconds(time))
            return """
                <line class="tick" x1="\(x)" x2="\(x)" y1="\(Self.axis - 4)" y2="\(height)"/><text class="tick" x="\(x + 4)" y="14">\(text)</text>

                """
        }
    }

    /// The highest power of ten that a number contains.
    private static func power(of number: Int) -> Int {
        var power = 1
        while number / power >= 10 { power *= 10 }
        return power
    }

    private func bar(_ index: Int, of explanation: QueryExplanation, _ words: StepWording, y: Int) -> HTML {
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
            height="\(Self.rowHeight - 2)" rx="2"><title>\(words.name(step)), \(wording.milliseconds(step.took)) ms</title></rect>

            """
    }
}
