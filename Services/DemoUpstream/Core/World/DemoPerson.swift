/// An invented person whose name marks the data as a demo: 김예시, 박가상, Maya Sampleton.
struct DemoPerson: Hashable, Sendable {
    let name: String
    let nameEnglish: String

    static func drawn(korean: Bool, by random: inout SplitMix64) -> DemoPerson {
        if korean {
            let family = random.pick(families)
            let given = random.pick(givenNames)
            // Real records lack the English name now and then.
            let english = random.happens(0.2) ? "" : "\(family.english.uppercased()) \(given.english)"
            return DemoPerson(name: family.korean + given.korean, nameEnglish: english)
        }
        let first = random.pick(firstNames)
        let last = random.pick(lastNames)
        return DemoPerson(name: "\(first.korean) \(last.korean)", nameEnglish: "\(first.english) \(last.english)")
    }

    private static let families: [DemoWords.Word] = [
        ("김", "Kim"), ("이", "Lee"), ("박", "Park"), ("최", "Choi"), ("정", "Jeong"), ("강", "Kang"), ("조", "Cho"),
        ("윤", "Yoon"), ("장", "Jang"), ("임", "Lim"), ("한", "Han"), ("오", "Oh"), ("서", "Seo"), ("신", "Shin"),
    ]

    private static let givenNames: [DemoWords.Word] = [
        ("예시", "Ye-si"), ("가상", "Ga-sang"), ("견본", "Gyeon-bon"), ("시범", "Si-beom"), ("모의", "Mo-ui"),
        ("데모", "De-mo"), ("보기", "Bo-gi"), ("표본", "Pyo-bon"), ("시연", "Si-yeon"), ("연습", "Yeon-seup"),
        ("맛보기", "Mat-bo-gi"), ("본보기", "Bon-bo-gi"), ("모형", "Mo-hyeong"), ("시제품", "Si-je-pum"),
    ]

    private static let firstNames: [DemoWords.Word] = [
        ("마야", "Maya"), ("레오", "Leo"), ("이든", "Eden"), ("노라", "Nora"), ("휴고", "Hugo"), ("이네스", "Ines"),
        ("오토", "Otto"), ("리나", "Rina"), ("테오", "Theo"), ("소냐", "Sonya"),
    ]

    private static let lastNames: [DemoWords.Word] = [
        ("샘플턴", "Sampleton"), ("데모비치", "Demovich"), ("목업스", "Mockups"), ("플레이스홀더", "Placeholder"),
        ("드래프트", "Draft"), ("프로토타이퍼", "Prototyper"), ("픽스처", "Fixture"), ("더미에르", "Dummière"),
    ]
}
