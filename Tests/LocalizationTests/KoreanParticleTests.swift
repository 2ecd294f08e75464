import Localization
import Testing

@Suite struct KoreanParticleTests {
    @Test(arguments: [
        ("등대", "는", "가", "를"), ("마을", "은", "이", "을"), ("서울", "은", "이", "을"), ("영화 3", "은", "이", "을"),
        ("2022-01-05", "는", "가", "를"), ("20199882", "는", "가", "를"), ("'등대'", "는", "가", "를"),
        ("밀수(2023)", "은", "이", "을"), ("LANG", "은(는)", "이(가)", "을(를)"), ("", "은(는)", "이(가)", "을(를)"),
        // Decomposed: 말, 나.
        ("\u{1106}\u{1161}\u{11AF}", "은", "이", "을"), ("\u{1102}\u{1161}", "는", "가", "를"),
    ])
    func `the form follows the last sound; both forms are given when it is unknown`(
        text: String, topic: String, subject: String, object: String
    ) {
        #expect(KoreanParticle.topic.form(after: text) == topic)
        #expect(KoreanParticle.subject.form(after: text) == subject)
        #expect(text.with(.object) == text + object)
    }
}
