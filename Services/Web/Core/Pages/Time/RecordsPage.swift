import Contracts
import Domain
import Localization
import Wording

/// The records of the longest span of a period, or of the archive, of which every chart is known.
struct RecordsPage {
    let frame: PageFrame

    private var language: Language { frame.language }

    /// - Parameter days: that were asked for; nil for all that is archived.
    func html(_ reply: ArchiveRecordsReply, of days: ClosedRange<Day>?, how: PageLink?) -> [UInt8] {
        let title = language("흥행 기록", "Records")
        let wording = ChartWording(language: language)
        let span = reply.span.map {
            $0 == days
                ? wording.days($0)
                : language(
                    "누락된 차트가 없는 가장 긴 기간 기준: \(wording.days($0))",
                    "Based on the longest time without a missing chart: \(wording.days($0))")
        }
        let words = RecordWording(language: language)
        let rows = reply.records.map { record -> HTML in
            let days = record.first == record.last ? record.first.iso : wording.days(record.days)
            return """
                <tr><th scope="row">\(words.name(record))</th>\
                <td class="text"><a href="\(frame.href(.film(record.code)))">\(frame.title(of: record.code, record.title))</a></td>\
                <td>\(words.figure(record))</td><td>\(days)</td></tr>

                """
        }
        let isProvisional = reply.records.contains(where: \.isProvisional)
        let provisional = isProvisional ? language("*: 잠정. ", "*: provisional. ") : ""
        let note: HTML? = rows.isEmpty ? nil : "<p class=\"legend\">\(provisional)\(words.scope)</p>\n"
        let empty =
            days == nil
            ? language("저장된 차트가 아직 없습니다.", "No chart is archived yet.")
            : language("이 기간에는 저장된 차트가 아직 없습니다.", "No chart of these days is archived yet.")
        let table: HTML =
            rows.isEmpty
            ? "<p class=\"note\">\(empty)</p>\n"
            : """
            <div class="scroll"><table class="figures-table records">
            <thead><tr><th scope="col">\(language("기록", "Record"))</th><th scope="col" class="text">\(language("영화", "Film"))</th>\
            <th scope="col">\(language("수치", "Result"))</th><th scope="col">\(language("날짜", "Dates"))</th></tr></thead>
            <tbody>\(rows)</tbody></table></div>

            """
        return frame.page(
            PageHead(address: .records(days), title: title, description: title),
            """
            <div class="head"><h1>\(title)</h1>
            <p class="state">\(span ?? "")\(frame.label(reply.basis.source).map { " · \($0)" })</p></div>
            \(form(days))\(table)\(note)\(frame.how(how))
            """)
    }

    private func form(_ days: ClosedRange<Day>?) -> HTML {
        let example = language(
            "예: 2022, 2022-01, 2022-01-05 ~ 2022-01-31", "e.g. 2022, 2022-01, 2022-01-05..2022-01-31")
        return """
            <form class="fields" action="/records">
            <label>\(language("기간", "Period")) <input name="range" value="\(days?.written ?? "")" maxlength="100" placeholder="\(example)"></label>
            \(frame.languageField)<button>\(language("보기", "Show"))</button></form>

            """
    }
}
