import Domain

/// Invents everything about a film that is not known of it: people, genre, grade, companies.
///
/// It serves two kinds of films: generated ones, and films of a recorded chart that have no recorded detail. The latter
/// keep their real title and opening date, and all the rest is as plainly demo as in the generated world.
struct DetailSketch: Sendable {
    let code: String
    let title: DemoTitle
    let isKorean: Bool
    let releaseDay: Day?
    let isReleased: Bool
    /// Films of the generated world leave fields empty at times, as real records do.
    let hasGaps: Bool

    func detail(_ random: inout SplitMix64) -> DemoDetail {
        let year = releaseDay?.components.year ?? random.number(in: 1968...2024)
        let grade = random.pick(FilmVocabulary.grades)
        return DemoDetail(
            code: code, title: title.korean, titleEnglish: title.english,
            titleOriginal: isKorean || random.happens(0.8) ? "" : title.english,
            minutes: gap(0.04, &random) ? nil : random.number(in: 71...163),
            productionYear: year - random.pick([0, 0, 1, 1, 2]),
            openDate: releaseDay?.compact ?? "", status: isReleased ? "개봉" : "개봉예정",
            type: gap(0.03, &random) ? "옴니버스" : "장편",
            nations: nations(&random),
            genres: random.pick(random.pick([1, 1, 2, 2, 3]), of: FilmVocabulary.genres),
            directors: gap(0.05, &random) ? [] : people(random.pick([1, 1, 1, 1, 2]), &random),
            actors: gap(0.12, &random) ? [] : actors(&random),
            showTypes: random.pick(random.number(in: 1...3), of: FilmVocabulary.showTypes),
            companies: companies(&random),
            audits: gap(0.03, &random) ? [] : audits(grade, year: year, &random),
            staffs: people(random.number(in: 0...12), &random)
                .map { ($0, random.pick(FilmVocabulary.staffRoles)) })
    }

    private func gap(_ probability: Double, _ random: inout SplitMix64) -> Bool {
        random.happens(probability) && hasGaps
    }

    private func people(_ count: Int, _ random: inout SplitMix64) -> [DemoPerson] {
        var people: [DemoPerson] = []
        for _ in 0..<count {
            let person = DemoPerson.drawn(korean: isKorean, by: &random)
            if !people.contains(person) { people.append(person) }
        }
        return people
    }

    private func nations(_ random: inout SplitMix64) -> [String] {
        if isKorean { return ["한국"] }
        let nations = random.pick(random.pick([1, 1, 1, 2]), of: FilmVocabulary.foreignNations)
        // Real records sometimes hold "미국 " with a trailing space.
        return nations.map { random.happens(0.04) && hasGaps ? $0 + " " : $0 }
    }

    private func actors(_ random: inout SplitMix64) -> [DemoDetail.Actor] {
        people(random.number(in: 2...14), &random).enumerated().map { index, person in
            let role = "데모 역할 \(index + 1)"
            return .init(person: person, role: !isKorean || random.happens(0.3) ? "" : role)
        }
    }

    private func companies(_ random: inout SplitMix64) -> [DemoDetail.Company] {
        let distributor = random.number(in: 1...6)
        // A company repeats once per part, as in the real records.
        let parts = isKorean ? ["제작사", "배급사", "제공"] : ["배급사", "수입사"]
        return parts.map { part in
            let number = part == "제작사" ? distributor + 40 : distributor
            return .init(
                code: String(90_000_000 + number), name: "데모필름\(number)(주)", nameEnglish: "Demo Film \(number)",
                part: part)
        }
    }

    private func audits(_ grade: String, year: Int, _ random: inout SplitMix64) -> [DemoDetail.Audit] {
        var audits: [DemoDetail.Audit] = []
        if year < 2000 {
            audits.append(.init(number: "\(year % 100)-5", grade: random.pick(FilmVocabulary.formerGrades)))
        }
        if random.happens(0.1) {
            let first = random.pick(FilmVocabulary.grades)
            audits.append(.init(number: "\(year)-MF0\(random.number(in: 1000...1999))", grade: first))
        }
        // The trailing space is upstream's.
        audits.append(.init(number: "\(year)-MF0\(random.number(in: 2000...2999)) ", grade: grade))
        return audits
    }
}
