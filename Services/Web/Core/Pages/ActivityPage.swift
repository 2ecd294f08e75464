import Localization

/// The messages of the stack as they happen, with the instances and the last questions of this server.
struct ActivityPage {
    let frame: PageFrame

    private var language: Language { frame.language }

    /// - Parameters:
    ///   - instances: in the order of their names; nil when the broker does not answer.
    ///   - questions: the latest first.
    func values(
        _ filter: ActivityFilter, instances: [String]?, questions: [(id: String, record: ExplanationStore.Record)]
    ) -> [String: Any] {
        let title = language("지금 오가는 메시지", "Messages as they happen")
        var values = frame.values(
            .activity(filter), title: title,
            description: language(
                "질의 하나에 여러 프로그램이 메시지를 주고받으며 답합니다.",
                "Each question is answered by messages between several programs."),
            isIndexed: false)
        values["script"] = frame.assets.activityScript
        values["apply"] = language("적용", "Apply")
        values["fields"] = [
            field("kind", language("종류", "Kind"), filter.kind, "chart.*"),
            field("service", language("서비스", "Service"), filter.service, "detail-fetcher"),
            field("query", language("질의", "Query"), filter.query, "1f2e"),
        ]
        values["live"] = LiveSection(language: language).activity(filter.suffix)
        values["instancesName"] = language("인스턴스", "Instances")
        values["lanesLabel"] = language(
            "인스턴스마다 최근 30초의 답", "The answers of the last 30 seconds by instance")
        values["instances"] = (instances ?? []).enumerated().map {
            ["instance": $1, "y": $0 * 28 + 20] as [String: Any]
        }
        values["height"] = max(1, instances?.count ?? 0) * 28
        if instances == nil { values["notes"] = [language("브로커가 답하지 않습니다.", "The broker does not answer.")] }
        values["questionsName"] = language("최근 질의", "Latest questions")
        values["questions"] = questions.map { question in
            [
                "id": question.id, "href": frame.href(.how(question.id)), "page": question.record.page,
                "summary": HowPage.summary(question.record.explanation, language),
            ]
        }
        return values
    }

    private func field(_ name: String, _ label: String, _ value: String?, _ example: String) -> [String: Any] {
        ["name": name, "label": label, "value": value ?? "", "example": example]
    }
}
