import Contracts
import Domain
import Localization
import Wording

/// The records of the longest span of which every chart is archived.
struct RecordsPage {
    let frame: PageFrame

    private var language: Language { frame.language }

    func html(_ reply: ArchiveRecordsReply, how: PageLink?) -> [UInt8] {
        let title = language("흥행 기록", "Records")
        let wording = ChartWording(language: language)
        let span = reply.span.map {
            language(
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
        let note: HTML? = isProvisional ? "<p class=\"legend\">\(language("*: 잠정", "*: provisional"))</p>\n" : nil
        let empty = language("저장된 차트가 아직 없습니다.", "No chart is archived yet.")
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
            PageHead(address: .records, title: title, description: title),
            """
            <div class="head"><h1>\(title)</h1>
            <p class="state">\(span ?? "")\(frame.label(reply.basis.source).map { " · \($0)" })</p></div>
            \(table)\(note)\(frame.how(how))
            """)
    }
}
