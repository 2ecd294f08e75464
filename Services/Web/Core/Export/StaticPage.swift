/// A page of the server as a file: its addresses lead to other files, and what has no file leads nowhere.
///
/// It reads the markup that pages write, in which neither a text nor an attribute contains `<` or `>`.
struct StaticPage {
    /// From the page's folder to that of the site: "" or "../".
    let root: String
    /// The file of an address of this server, from the folder of the site; nil for an address without one.
    let file: (String) -> String?

    func rewritten(_ page: [UInt8]) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(page.count)
        var isUnlinked = false
        var rest = page[...]
        while let start = rest.firstIndex(of: UInt8(ascii: "<")),
            let end = rest[start...].firstIndex(of: UInt8(ascii: ">"))
        {
            output += rest[..<start]
            let tag = String(decoding: rest[start...end], as: UTF8.self)
            rest = rest[(end + 1)...]
            if isUnlinked, tag == "</a>" {
                isUnlinked = false
                output += "</span>".utf8
                continue
            }
            let written = rewritten(tag)
            if written != tag, written == "<span>" { isUnlinked = true }
            output += written.utf8
        }
        return output + rest
    }

    /// A tag as it stands in the file.
    private func rewritten(_ tag: String) -> String {
        let name = tag.dropFirst().prefix { $0.isLetter }
        guard ["a", "img", "link"].contains(name),
            let attribute = tag.firstMatch(of: /(?: href| src)="(\/[^"]*)"/)
        else { return tag }
        guard let file = file(Self.unescaped(String(attribute.1))) else {
            return switch name {
            case "a": "<span>"
            case "img": "<span class=\"thumb\" aria-hidden=\"true\"></span>"
            default: ""
            }
        }
        return tag.replacingOccurrence(of: attribute.1, with: root + file)
    }

    private static func unescaped(_ text: String) -> String {
        text.replacing("&#39;", with: "'").replacing("&quot;", with: "\"").replacing("&lt;", with: "<")
            .replacing("&gt;", with: ">").replacing("&amp;", with: "&")
    }
}

extension String {
    fileprivate func replacingOccurrence(of part: Substring, with text: String) -> String {
        self[..<part.startIndex] + text + self[part.endIndex...]
    }
}
