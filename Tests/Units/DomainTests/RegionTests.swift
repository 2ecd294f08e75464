import Domain
import Testing

@Suite struct RegionTests {
    @Test(
        arguments: [
            ("서울", .seoul), ("서울시", .seoul), ("Seoul", .seoul), ("SEOUL", .seoul), (" 서울 ", .seoul),
            ("0105001", .seoul),
            ("충북", .chungbuk), ("충청북도", .chungbuk), ("Chungbuk", .chungbuk), ("chung-buk", .chungbuk), ("세종", .sejong),
            // Decomposed Hangul, as from a file name.
            ("\u{110C}\u{1166}\u{110C}\u{116E}", .jeju), ("", nil), ("서", nil), ("Pyongyang", nil), ("0105018", nil),
            ("Gwang ju", .gwangju),
        ] as [(String, Region?)])
    func `a region is found by its names and its code`(name: String, region: Region?) {
        #expect(Region(named: name) == region)
    }

    @Test func `every region is found by all its names`() {
        for region in Region.allCases {
            for name in [region.korean, region.english, region.code, region.rawValue] {
                #expect(Region(named: name) == region)
            }
        }
        #expect(
            Set(Region.allCases.map(\.code)).count == 17
                && Region.allCases.map(\.code) == Region.allCases.map(\.code).sorted())
    }
}
