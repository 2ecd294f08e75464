/// What stands before the sky of a poster. Places are in thousandths of the picture, so that a thumbnail shows what its
/// picture shows.
enum PosterScene: CaseIterable, Sendable {
    case mountains, city, rings, sea, road, window

    func paint(_ image: inout IndexedImage, _ random: inout SplitMix64) {
        let (width, height) = (image.width, image.height)
        let side = min(width, height)
        func x(_ thousandths: Int) -> Int { width * thousandths / 1000 }
        func y(_ thousandths: Int) -> Int { height * thousandths / 1000 }
        func paintSun(_ image: inout IndexedImage, _ random: inout SplitMix64, y place: ClosedRange<Int>) {
            image.fillCircle(
                x: x(random.number(in: 220...780)), y: y(random.number(in: place)),
                radius: side * random.number(in: 90...170) / 1000, with: PosterPalette.light)
        }
        switch self {
        case .mountains:
            paintSun(&image, &random, y: 180...420)
            for (colour, top) in [(PosterPalette.middle, 380), (PosterPalette.dark, 560)] {
                for _ in 0..<3 {
                    let peak = y(random.number(in: top...(top + 160)))
                    image.fillPeak(
                        x: x(random.number(in: 0...1000)), y: peak, height: height - peak,
                        base: x(random.number(in: 700...1300)), with: colour)
                }
            }
        case .city:
            paintSun(&image, &random, y: 140...320)
            for (colour, top, count) in [(PosterPalette.middle, 420, 7), (PosterPalette.dark, 600, 6)] {
                for place in 0..<count {
                    let roof = y(random.number(in: top...(top + 220)))
                    image.fillRectangle(
                        x: x(place * 1000 / count), y: roof, width: x(1000 / count - random.number(in: 0...40)),
                        height: height - roof, with: colour)
                }
            }
        case .rings:
            let (centre, middle) = (x(random.number(in: 350...650)), y(random.number(in: 380...560)))
            let colours = [PosterPalette.dark, PosterPalette.middle, PosterPalette.light]
            for ring in 0..<6 {
                image.fillCircle(
                    x: centre, y: middle, radius: side * (480 - 80 * ring) / 1000, with: colours[ring % 3])
            }
        case .sea:
            paintSun(&image, &random, y: 260...460)
            for row in y(600)..<height {
                let wave = (row - y(600)) * 24 / max(1, height - y(600))
                image.fill(
                    row: row, from: 0, to: width, with: wave % 2 == 0 ? PosterPalette.dark : PosterPalette.middle)
            }
            image.fillPeak(
                x: x(random.number(in: 300...700)), y: y(470), height: y(140), base: x(120), with: PosterPalette.light)
        case .road:
            paintSun(&image, &random, y: 200...380)
            image.fillRectangle(x: 0, y: y(520), width: width, height: height - y(520), with: PosterPalette.middle)
            image.fillPeak(x: x(500), y: y(520), height: height - y(520), base: x(1100), with: PosterPalette.dark)
            image.fillPeak(x: x(500), y: y(560), height: height - y(560), base: x(90), with: PosterPalette.light)
        case .window:
            image.fillRectangle(x: x(180), y: y(140), width: x(640), height: y(720), with: PosterPalette.dark)
            image.fillRectangle(x: x(220), y: y(170), width: x(560), height: y(660), with: PosterPalette.middle)
            paintSun(&image, &random, y: 300...480)
            image.fillRectangle(x: x(485), y: y(170), width: x(30), height: y(660), with: PosterPalette.dark)
            image.fillRectangle(x: x(220), y: y(490), width: x(560), height: y(20), with: PosterPalette.dark)
        }
    }
}
