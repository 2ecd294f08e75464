/// Draws a picture for a name: a sky, some shapes, and DEMO in large letters; the same for the same seed and address.
enum PosterPainter {
    static func picture(at address: PosterAddress, seed: UInt64) -> IndexedImage {
        var random = SplitMix64(seed: seed, text: "\(address.name)/\(address.number)")
        let palette = skyColours(&random)
        var image = IndexedImage(width: address.width, height: address.height, palette: palette)
        paintSky(&image)
        for _ in 0..<random.number(in: 4...8) { paintShape(&image, &random) }
        paintMark(&image)
        return image
    }

    private static func skyColours(_ random: inout SplitMix64) -> [IndexedImage.Colour] {
        let top = (0..<3).map { _ in random.number(in: 10...140) }
        let bottom = (0..<3).map { _ in random.number(in: 60...250) }
        let sky = (0..<skyBands).map { band in
            let parts = (0..<3).map { UInt8(top[$0] + (bottom[$0] - top[$0]) * band / (skyBands - 1)) }
            return IndexedImage.Colour(red: parts[0], green: parts[1], blue: parts[2])
        }
        let accents = (0..<accentCount).map { _ in
            let parts = (0..<3).map { _ in UInt8(random.number(in: 20...255)) }
            return IndexedImage.Colour(red: parts[0], green: parts[1], blue: parts[2])
        }
        return sky + accents + [.init(red: 16, green: 16, blue: 20), .init(red: 255, green: 255, blue: 255)]
    }

    private static func paintSky(_ image: inout IndexedImage) {
        for row in 0..<image.height {
            image.fill(row: row, from: 0, to: image.width, with: UInt8(row * skyBands / image.height))
        }
    }

    private static func paintShape(_ image: inout IndexedImage, _ random: inout SplitMix64) {
        let colour = UInt8(skyBands + random.number(in: 0...(accentCount - 1)))
        let side = min(image.width, image.height)
        // Shapes are placed in thousandths, so that a thumbnail shows what its picture shows.
        let x = image.width * random.number(in: 50...950) / 1000
        let y = image.height * random.number(in: 100...700) / 1000
        let size = side * random.number(in: 120...420) / 1000
        switch random.number(in: 1...3) {
        case 1: image.fillCircle(x: x, y: y, radius: size / 2, with: colour)
        case 2: image.fillPeak(x: x, y: y, height: image.height - y, base: size * 3, with: colour)
        default: image.fillRectangle(x: x - size / 4, y: y, width: size / 2, height: image.height - y, with: colour)
        }
    }

    private static func paintMark(_ image: inout IndexedImage) {
        let band = UInt8(skyBands + accentCount)
        let unit = max(1, min(image.width / 30, image.height / 40))
        let top = image.height - 9 * unit
        image.fillRectangle(x: 0, y: top, width: image.width, height: 9 * unit, with: band)
        let left = (image.width - PosterLetters.width(of: mark) * unit) / 2
        for pixel in PosterLetters.pixels(of: mark) {
            image.fillRectangle(
                x: left + pixel.x * unit, y: top + unit + pixel.y * unit, width: unit, height: unit, with: band + 1)
        }
    }

    private static let mark = "DEMO"
    private static let skyBands = 48
    private static let accentCount = 6
}
