/// An invented title in Korean and English, composed from unusual words, so that it is not the title of a real film.
struct DemoTitle: Hashable, Sendable {
    /// As KOBIS writes it: it may end in a space, or carry 「」, 『』, <>, &, ! or a comma.
    let korean: String
    /// Empty for some, as in half of the real records.
    let english: String
}

extension DemoFilm {
    /// The title of this film; titles repeat across films and years, as real ones do.
    var title: DemoTitle {
        var random = random(for: 3)
        let (korean, english) = isKorean ? koreanTitle(&random) : foreignTitle(&random)
        let known = random.happens(0.15) ? "" : english
        return DemoTitle(korean: random.happens(0.03) ? korean + " " : korean, english: known)
    }
}

private func koreanTitle(_ random: inout SplitMix64) -> (String, String) {
    let manner = random.pick(DemoWords.manners)
    let thing = random.pick(DemoWords.things)
    let matter = random.pick(DemoWords.matters)
    switch random.number(in: 1...20) {
    case 1...6: return ("\(manner.korean) \(thing.korean)", "The \(manner.english) \(thing.english)")
    case 7...11: return ("\(thing.korean)의 \(matter.korean)", "\(matter.english) of the \(thing.english)")
    case 12...14:
        return (
            "\(manner.korean) \(thing.korean)의 \(matter.korean)",
            "\(matter.english) of the \(manner.english) \(thing.english)"
        )
    case 15: return ("\(thing.korean), 그리고 \(matter.korean)", "The \(thing.english), and \(matter.english)")
    case 16:
        let part = random.number(in: 2...4)
        return ("\(manner.korean) \(thing.korean) \(part)", "The \(manner.english) \(thing.english) \(part)")
    case 17: return ("\(matter.korean)! \(manner.korean) \(thing.korean)", "\(matter.english)! The \(thing.english)")
    case 18: return ("『\(thing.korean)』 & \(matter.korean)", "\(thing.english) & \(matter.english)")
    case 19: return ("<\(manner.korean) \(thing.korean)> \(matter.korean)", "\(thing.english): \(matter.english)")
    default: return ("극장판 「\(manner.korean) \(thing.korean)」 \(matter.korean) 편", "\(thing.english) the Movie")
    }
}

private func foreignTitle(_ random: inout SplitMix64) -> (String, String) {
    let hero = random.pick(DemoWords.heroes)
    let object = random.pick(DemoWords.objects)
    let quest = random.pick(DemoWords.quests)
    switch random.number(in: 1...10) {
    case 1...4: return ("\(hero.korean) \(object.korean)", "\(hero.english) \(object.english)")
    case 5...7:
        return (
            "\(hero.korean) \(object.korean): \(quest.korean)", "\(hero.english) \(object.english): \(quest.english)"
        )
    case 8: return ("\(object.korean) \(random.number(in: 2...5))", "\(object.english) Returns")
    case 9: return ("\(quest.korean) │ \(object.korean)", "\(quest.english) of the \(object.english)")
    default: return ("\(hero.korean) & \(object.korean)", "\(hero.english) & \(object.english)")
    }
}
