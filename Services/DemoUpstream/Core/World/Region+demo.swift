import Domain

extension Region {
    /// The part of the country's audience that goes to the region's cinemas; all of them are the whole country.
    ///
    /// Rounded from the regions' populations, with more for Seoul, where people from around go to the cinema.
    var audienceShare: Double {
        switch self {
        case .seoul: 0.25
        case .gyeonggi: 0.237
        case .busan: 0.07
        case .gyeongnam, .incheon, .daegu: 0.055
        case .gyeongbuk, .chungnam: 0.036
        case .daejeon, .gwangju: 0.035
        case .jeonbuk, .chungbuk: 0.028
        case .jeonnam: 0.023
        case .gangwon: 0.022
        case .ulsan: 0.02
        case .jeju: 0.01
        case .sejong: 0.005
        }
    }
}

extension DemoFilm {
    /// Admissions of a day in the whole country or in one region, where some films do better than in others.
    func admissions(on day: Day, in region: Region?) -> Int {
        let everywhere = run.admissions(on: day)
        guard let region else { return everywhere }
        var taste = random(for: 100 + (Region.allCases.firstIndex(of: region) ?? 0))
        return Int(Double(everywhere) * region.audienceShare * taste.number(in: 0.6...1.4))
    }
}
