import CZlib
import Testing

@testable import DemoUpstreamCore

@Suite(.timeLimit(.minutes(2)))
struct PosterTests {
    @Test(arguments: ["92842800", "20199882", "recorded-1"])
    func `a poster is a valid picture of its size`(name: String) throws {
        let address = PosterAddress(name: name)
        let image = PosterPainter.picture(at: address, seed: 1)
        let parsed = try ParsedPNG(PNGEncoder.bytes(of: image))
        #expect(parsed.width == 400 && parsed.height == 572)
        #expect(parsed.pixels == image.pixels)
        #expect(parsed.paletteBytes == image.palette.count * 3)
        #expect(Int(image.pixels.max() ?? 255) < image.palette.count)
    }

    @Test func `pictures differ only by film, number and seed`() {
        let poster = PosterPainter.picture(at: PosterAddress(name: "92842800"), seed: 1)
        #expect(poster == PosterPainter.picture(at: PosterAddress(name: "92842800"), seed: 1))
        #expect(poster != PosterPainter.picture(at: PosterAddress(name: "92842801"), seed: 1))
        #expect(poster != PosterPainter.picture(at: PosterAddress(name: "92842800"), seed: 2))
    }

    @Test(arguments: [
        "A.png", "A/thumb.png", "A/7-640x360.png", "A/7-thumb.png", "recorded-1/80-894x1280.png",
    ])
    func `an address is parsed as it is printed`(path: String) throws {
        let address = try #require(PosterAddress(path: path))
        #expect("/posters/\(path)" == (address.isThumbnail ? address.thumbnailPath : address.imagePath))
    }

    @Test(arguments: [
        "", "A", ".png", "A.jpg", "../A.png", "A/0-1x1.png", "A/1-0x5.png", "A/1-99999x5.png", "A/1-5.png",
        "A/B/thumb.png",
        "A/x-thumb.png", "A b.png", "가.png",
    ])
    func `a path that names no picture is refused`(path: String) {
        #expect(PosterAddress(path: path) == nil)
    }

    @Test func `every film has a poster and some begin with a still`() {
        let hits = (0..<60).map { PosterSubject(code: "9284280\($0)", releaseDay: nil).documents(seed: 5) }
        #expect(hits.allSatisfy { $0.contains { $0.picture.number == 0 && $0.height > $0.width } })
        #expect(hits.allSatisfy { Set($0.map(\.picture)).count == $0.count && $0.count > 3 })
        let stills = hits.filter { ($0.first?.width ?? 0) > ($0.first?.height ?? 0) }
        #expect((5...55).contains(stills.count))
    }

    @Test func `shapes beyond the edges are clipped`() {
        var image = IndexedImage(width: 3, height: 2, palette: [])
        image.fillCircle(x: 0, y: 0, radius: 50, with: 1)
        image.fillRectangle(x: -5, y: -5, width: 2, height: 2, with: 2)
        image.fillRectangle(x: 2, y: 1, width: 9, height: 9, with: 3)
        #expect(image.pixels == [1, 1, 1, 1, 1, 3])
    }
}
