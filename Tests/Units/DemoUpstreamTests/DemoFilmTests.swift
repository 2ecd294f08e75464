import Domain
import Testing

@testable import DemoUpstreamCore

@Suite struct DemoFilmTests {
    private let world = DemoWorld(seed: 11)

    @Test func `every code identifies its film`() {
        for week in 1_765...1_900 {
            for film in world.films(openingIn: DemoWeek(number: week)) {
                #expect(film.code.utf8.count == 8 && film.code.hasPrefix("9"))
                #expect(world.film(code: film.code)?.id == film.id)
            }
        }
    }

    @Test(arguments: ["", "20199882", "9", "9284280", "928428000", "9284X800", "92842899", "９２８４２８００"])
    func `an unknown code finds no film`(code: String) {
        #expect(world.film(code: code) == nil)
    }

    @Test func `a film is found by its title with any spacing`() throws {
        let today = Day.firstChart.advanced(by: 400)
        let catalog = DemoFilmCatalog.make(of: world, through: today)
        for place in world.ranking(during: today...today).places.prefix(10) {
            let title = "  \(place.film.title.korean.replacing(" ", with: "  "))"
            #expect(catalog.films(titled: title).contains { $0.id == place.film.id })
        }
        #expect(catalog.films(titled: "세상에 없는 제목").isEmpty)
    }

    @Test func `details have every kind of gap that real records have`() {
        let today = Day.firstChart.advanced(by: 3_000)
        let films = (1_800...1_990).flatMap { world.films(openingIn: DemoWeek(number: $0)) }
        let details = films.map { $0.detail(today: today) }
        #expect(details.contains { $0.actors.isEmpty } && details.contains { $0.minutes == nil })
        #expect(details.contains { $0.audits.isEmpty } && details.contains { $0.audits.count > 1 })
        #expect(details.contains { $0.openDate == "" } && details.contains { $0.titleEnglish == "" })
        #expect(details.contains { detail in detail.actors.contains { $0.role.isEmpty } })
        #expect(details.contains { $0.nations.contains { $0.hasSuffix(" ") } })
        #expect(details.allSatisfy { $0.companies.allSatisfy { $0.name.hasPrefix("데모필름") } })
    }

    @Test func `a film that has not opened is only announced`() {
        for film in world.films(openingIn: DemoWeek(number: 1_900)) {
            #expect(film.detail(today: film.run.opening).status == "개봉")
            #expect(film.detail(today: film.run.opening.advanced(by: -1)).status == "개봉예정")
        }
    }

    @Test func `weeks begin on Monday`() {
        for offset in 0..<21 {
            let day = Day.firstChart.advanced(by: offset)
            #expect(DemoWeek(of: day).day(day.weekday) == day)
        }
    }
}
