/// The address of one picture of this server: film, picture number and size.
///
/// `/posters/CODE.png` is a film's poster, `/posters/CODE/2-640x360.png` another picture of it, `/posters/CODE/thumb.png`
/// and `/posters/CODE/2-thumb.png` their square crops. The size stands in the path, so a document never claims another
/// size than its picture has, and no state is needed to draw it.
struct PosterAddress: Hashable, Sendable {
    static let posterWidth = 400
    static let posterHeight = 572
    static let thumbnailSide = 130
    /// Larger than every recorded size (1920 × 1080), and small enough to draw on request.
    static let largestSide = 2_400

    let name: String
    /// 0 is the poster itself, 1 and more are other pictures.
    let number: Int
    let width: Int
    let height: Int
    let isThumbnail: Bool

    /// A picture in full size; sizes beyond the limit are cut down to it.
    init(name: String, number: Int = 0, width: Int = posterWidth, height: Int = posterHeight) {
        self.name = name
        self.number = number
        self.width = number == 0 ? Self.posterWidth : min(max(width, 1), Self.largestSide)
        self.height = number == 0 ? Self.posterHeight : min(max(height, 1), Self.largestSide)
        isThumbnail = false
    }

    private init(thumbnailOf name: String, number: Int) {
        self.name = name
        self.number = number
        width = Self.thumbnailSide
        height = Self.thumbnailSide
        isThumbnail = true
    }

    var imagePath: String {
        number == 0 ? "/posters/\(name).png" : "/posters/\(name)/\(number)-\(width)x\(height).png"
    }

    var thumbnailPath: String {
        number == 0 ? "/posters/\(name)/thumb.png" : "/posters/\(name)/\(number)-thumb.png"
    }

    var pagePath: String { "/films/\(name)" }

    /// Parses the path after "/posters/"; nil when it names no picture.
    init?(path: some StringProtocol) {
        guard path.hasSuffix(".png") else { return nil }
        let parts = String(path).dropLast(4).split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard let name = parts.first, Self.isName(name) else { return nil }
        switch parts.count {
        case 1: self.init(name: name)
        case 2 where parts[1] == "thumb": self.init(thumbnailOf: name, number: 0)
        case 2: self.init(name: name, variant: parts[1])
        default: return nil
        }
    }

    private init?(name: String, variant: String) {
        let parts = variant.split(separator: "-", maxSplits: 1)
        guard parts.count == 2, let number = Int(parts[0]), (1...999).contains(number) else { return nil }
        if parts[1] == "thumb" {
            self.init(thumbnailOf: name, number: number)
            return
        }
        let sides = parts[1].split(separator: "x", omittingEmptySubsequences: false).compactMap { Int($0) }
        guard sides.count == 2, sides.allSatisfy({ (1...Self.largestSide).contains($0) }) else { return nil }
        self.init(name: name, number: number, width: sides[0], height: sides[1])
    }

    /// Whether a text can stand in these paths: letters, digits and hyphens, at most 64.
    static func isName(_ text: some StringProtocol) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
    }
}
