import Localization

/// The part of a page that its script uses: where the changes come from, and the words for them.
struct LiveSection {
    let language: Language

    /// - Parameter version: of the answer that the page shows.
    func chart(_ name: String, version: String) -> [String: Any] {
        var values = common("/events?\(name)")
        values["version"] = version
        values["changed"] = language("차트가 바뀌었습니다. 바뀐 영화: {n}편", "The chart has changed. Films: {n}")
        return values
    }

    /// - Parameter query: the filters, as in an address.
    func activity(_ query: String) -> [String: Any] {
        var values = common("/events" + query)
        values["lost"] = language("놓친 이벤트: {n}개", "Missed events: {n}")
        values["joined"] = language("{name} 시작", "{name} has joined")
        values["left"] = language("{name} 종료", "{name} has left")
        return values
    }

    private func common(_ events: String) -> [String: Any] {
        [
            "label": language("실시간", "Live"), "events": events,
            "pause": language("실시간 갱신 멈춤", "Pause live updates"), "version": "", "changed": "", "lost": "",
            "joined": "", "left": "",
        ]
    }
}
