import Domain

/// The data of a film from which the image search invents hits.
struct PosterSubject: Sendable {
    let code: String
    let releaseDay: Day?

    /// Hits in the order of accuracy: stills, squares and banners among portraits, and at least one poster.
    ///
    /// For two films in five the first hit is not a poster: a client that always takes the first hit shows a still.
    func documents(seed: UInt64) -> [ImageHit] {
        var random = SplitMix64(seed: seed &+ 5, text: code)
        let poster = document(0, shape: (PosterAddress.posterWidth, PosterAddress.posterHeight), &random)
        var documents = (1...random.number(in: 4...11)).map { number in
            document(number, shape: random.pick(Self.shapes), &random)
        }
        if random.happens(0.4) {
            documents.insert(document(documents.count + 1, shape: random.pick(Self.stills), &random), at: 0)
            documents.insert(poster, at: random.number(in: 1...documents.count))
        } else {
            documents.insert(poster, at: 0)
        }
        return documents
    }

    private func document(_ number: Int, shape: (width: Int, height: Int), _ random: inout SplitMix64) -> ImageHit {
        let published = (releaseDay ?? Day.firstChart).advanced(by: random.number(in: -40...60))
        let isPoster = shape.height * 10 >= shape.width * 12
        let time = [(0, 23), (0, 59), (0, 59)].map { padded(random.number(in: $0.0...$0.1)) }.joined(separator: ":")
        return ImageHit(
            collection: random.pick(["blog", "cafe", "news", "etc"]),
            datetime: "\(published.iso)T\(time).000+09:00",
            // The real site name is sometimes empty.
            siteName: isPoster ? "demo.images" : random.pick(["demo.blog", "demo.news", ""]),
            width: shape.width, height: shape.height,
            picture: PosterAddress(name: code, number: number, width: shape.width, height: shape.height))
    }

    private func padded(_ number: Int) -> String {
        number < 10 ? "0\(number)" : String(number)
    }

    private static let stills = [(640, 360), (1280, 720), (600, 400)]
    private static let shapes =
        stills + [(500, 500), (600, 600), (600, 857), (720, 1030), (660, 942), (480, 640), (300, 1200)]
}
