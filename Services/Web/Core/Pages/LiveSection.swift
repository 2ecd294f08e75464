import Localization

/// The part of a page that its script uses: where the changes come from, and the words for them.
struct LiveSection {
    let language: Language

    /// - Parameter version: of the answer that the page shows.
    func chart(_ name: String, version: String) -> HTML {
        let changed = language("차트가 바뀌었습니다. 바뀐 영화: {n}편", "The chart has changed. Films: {n}")
        return section("/events?\(name)", " data-version=\"\(version)\" data-changed=\"\(changed)\"")
    }

    /// - Parameter query: the filters, as in an address.
    func activity(_ query: String) -> HTML {
        let lost = language("놓친 이벤트: {n}개", "Missed events: {n}")
        let joined = language("{name} 시작", "{name} has joined")
        let left = language("{name} 종료", "{name} has left")
        return section("/events" + query, " data-lost=\"\(lost)\" data-joined=\"\(joined)\" data-left=\"\(left)\"")
    }

    private func section(_ events: String, _ words: HTML) -> HTML {
        """
        <section class="live" aria-label="\(language("실시간", "Live"))" data-events="\(events)"\(words) hidden>
        <button type="button" aria-pressed="false">\(language("실시간 갱신 멈추기", "Pause live updates"))</button> \
        <p role="status"></p>
        </section>
        """
    }
}
