import Contracts
import Domain

/// A drawing in place of a poster: the title, and in both languages the statement that there is no image.
struct PlaceholderImage {
    private static let width = 400
    private static let height = 572
    /// Characters of the title per line, and number of lines.
    private static let lineLength = 12
    private static let lines = 3

    let title: String

    var description: PosterImage {
        PosterImage(
            source: .placeholder, number: nil, url: nil, site: nil, pageURL: nil, mediaType: "image/svg+xml",
            width: Self.width, height: Self.height, missed: [])
    }

    /// An SVG document.
    var svg: [UInt8] {
        let middle = Self.width / 2
        let lines = titleLines.enumerated().map { index, line in
            #"<text x="\#(middle)" y="\#(200 + 40 * index)" font-size="28" font-weight="bold">\#(line.escapedForXML)</text>"#
        }
        let document = """
            <svg xmlns="http://www.w3.org/2000/svg" width="\(Self.width)" height="\(Self.height)" \
            viewBox="0 0 \(Self.width) \(Self.height)">
            <rect width="100%" height="100%" fill="#3a3d44"/>
            <g fill="#f2f2f2" font-family="sans-serif" text-anchor="middle">
            \(lines.joined(separator: "\n"))
            <text x="\(middle)" y="400" font-size="20">포스터를 받지 못했습니다</text>
            <text x="\(middle)" y="430" font-size="16">The poster could not be fetched</text>
            </g>
            </svg>

            """
        return Array(document.utf8)
    }

    private var titleLines: [String] {
        var rest = Substring(title.nfc)
        var lines: [String] = []
        while !rest.isEmpty, lines.count < Self.lines {
            lines.append(String(rest.prefix(Self.lineLength)))
            rest = rest.dropFirst(Self.lineLength)
        }
        if !rest.isEmpty { lines[lines.count - 1] += "…" }
        return lines
    }
}

extension String {
    /// Escaped for XML text: forbidden characters are removed, special ones become references.
    fileprivate var escapedForXML: String {
        unicodeScalars.reduce(into: "") { text, scalar in
            switch scalar {
            case "&": text += "&amp;"
            case "<": text += "&lt;"
            case ">": text += "&gt;"
            case "\u{0}"..."\u{1F}", "\u{FFFE}", "\u{FFFF}": break
            default: text.unicodeScalars.append(scalar)
            }
        }
    }
}
