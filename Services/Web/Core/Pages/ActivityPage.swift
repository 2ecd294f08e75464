import Localization

/// The messages of the stack as they happen, with the instances and the last questions of this server.
struct ActivityPage {
    let frame: PageFrame

    private static let laneHeight = 28

    private var language: Language { frame.language }

    /// - Parameters:
    ///   - instances: in the order of their names; nil when the broker does not answer.
    ///   - questions: the latest first.
    func html(
        _ filter: ActivityFilter, instances: [String]?, questions: [(id: String, record: ExplanationStore.Record)]
    ) -> [UInt8] {
        let title = language("실시간 이벤트", "Live events")
        let description = language(
            "질의 하나에 여러 프로그램이 메시지를 주고받으며 답합니다.",
            "Each question is answered by messages between several programs.")
        let head = PageHead(
            address: .activity(filter), title: title, description: description, isIndexed: false,
            script: frame.assets.activityScript)
        let silence = language("브로커가 답하지 않습니다.", "The broker does not answer.")
        return frame.page(
            head,
            """
            <div class="head"><h1>\(title)</h1><p class="state">\(description)</p></div>
            \(form(filter))\(LiveSection(language: language).activity(filter.suffix))
            <h2>\(language("인스턴스", "Instances"))</h2>
            \(frame.notes(instances == nil ? [silence] : []))\(lanes(instances ?? []))\
            <h2>\(language("최근 질의", "Latest questions"))</h2>
            <ol class="questions">
            \(questions.map(row))</ol>

            """)
    }

    private func form(_ filter: ActivityFilter) -> HTML {
        """
        <form class="choose" action="/how">
        \(field("kind", language("종류", "Kind"), filter.kind, language("예: chart.*", "e.g. chart.*")))\
        \(field("service", language("서비스", "Service"), filter.service, language("예: detail-fetcher", "e.g. detail-fetcher")))\
        \(field("query", language("질의", "Query"), filter.query, language("예: 1f2e", "e.g. 1f2e")))\
        \(frame.languageField)<button>\(language("적용", "Apply"))</button>
        </form>

        """
    }

    private func field(_ name: String, _ label: String, _ value: String?, _ example: String) -> HTML {
        """
        <label>\(label) <input name="\(name)" value="\(value ?? "")" placeholder="\(example)" maxlength="100"></label>

        """
    }

    private func lanes(_ instances: [String]) -> HTML {
        let label = language("인스턴스별 최근 30초의 응답", "The answers of the last 30 seconds by instance")
        let names = instances.enumerated().map { place, instance -> HTML in
            "<text x=\"0\" y=\"\(place * Self.laneHeight + 20)\">\(instance)</text>\n"
        }
        return """
            <figure class="lanes" tabindex="0"><svg viewBox="0 0 1220 \(max(1, instances.count) * Self.laneHeight)" \
            role="img" aria-label="\(label)">
            <title>\(label)</title>\(names)</svg></figure>

            """
    }

    private func row(_ id: String, _ record: ExplanationStore.Record) -> HTML {
        """
        <li id="q\(id)"><a href="\(frame.href(.how(id)))">\(frame.name(record.page, titles: record.titles))</a> \
        <span>\(HowPage.summary(record.explanation, language))</span></li>

        """
    }
}
