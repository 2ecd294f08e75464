import Envelope
import Localization
import ProcessKit
import TerminalText

extension Presentation {
    /// A line a setting: its name, its value, where that is from.
    public func settings(_ report: SettingsReport) throws -> Answer {
        if isJSON { return Answer(output: try JSONBytes.encode(report)) }
        let head = [language("이름", "name"), language("값", "value"), language("출처", "from")]
        let rows = report.settings.map { [$0.name, $0.value ?? "-", origin($0.origin)].map(\.printable) }
        let columns = head.indices.map { column in
            TextColumn([TextPiece(head[column], style: style.dim)] + rows.map { TextPiece($0[column]) })
        }
        let table = TextColumns.laid([TextColumns(columns, elastic: 1)], limit: nil, width)
        let services = language(
            "다른 프로그램의 설정: compose/stack config", "Those of the other programs: compose/stack config")
        return Answer(lines: table.lines + ["", style.dim(services)])
    }

    private func origin(_ origin: String) -> String {
        switch origin {
        case "option": language("옵션", "option")
        case "environment": language("환경 변수", "environment")
        case "default": language("기본값", "default")
        default: origin
        }
    }
}
