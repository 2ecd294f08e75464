/// Draws a picture for a name: a sky, a scene, and DEMO in a corner; the same for the same seed and address.
enum PosterPainter {
    static func picture(at address: PosterAddress, seed: UInt64) -> IndexedImage {
        var random = SplitMix64(seed: seed, text: "\(address.name)/\(address.number)")
        let palette = random.pick(PosterPalette.all)
        let scene = random.pick(PosterScene.allCases)
        var image = IndexedImage(width: address.width, height: address.height, palette: palette.colours)
        for row in 0..<image.height {
            image.fill(
                row: row, from: 0, to: image.width, with: UInt8(row * PosterPalette.skyBands / image.height))
        }
        scene.paint(&image, &random)
        paintMark(&image)
        return image
    }

    /// In the lower right corner, an eighth of the width.
    private static func paintMark(_ image: inout IndexedImage) {
        let unit = max(1, min(image.width, image.height) / 190)
        let (width, height) = ((PosterLetters.width(of: mark) + 4) * unit, 11 * unit)
        let (left, top) = (image.width - width - 3 * unit, image.height - height - 3 * unit)
        image.fillRectangle(x: left, y: top, width: width, height: height, with: PosterPalette.markGround)
        for pixel in PosterLetters.pixels(of: mark) {
            image.fillRectangle(
                x: left + (2 + pixel.x) * unit, y: top + (2 + pixel.y) * unit, width: unit, height: unit,
                with: PosterPalette.mark)
        }
    }

    private static let mark = "DEMO"
}
