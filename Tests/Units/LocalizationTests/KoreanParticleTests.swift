import Localization
import Testing

@Suite struct KoreanParticleTests {
    @Test(arguments: [
        ("등대", "는", "가", "를", "로"), ("마을", "은", "이", "을", "로"), ("섬", "은", "이", "을", "으로"),
        ("영화 3", "은", "이", "을", "으로"), ("영화 1", "은", "이", "을", "로"), ("2022-01-05", "는", "가", "를", "로"),
        ("20199882", "는", "가", "를", "로"), ("'등대'", "는", "가", "를", "로"), ("밀수(2023)", "은", "이", "을", "으로"),
        // Loanwords as they are written in Hangul: 업, 탭, 스택, 차트, 로그, 파일, 라인, 캐시, 웹, 네트워크, 랭, 올.
        ("compose/stack up", "은", "이", "을", "으로"), ("tap", "은", "이", "을", "으로"), ("stack", "은", "이", "을", "으로"),
        ("gateway chart", "는", "가", "를", "로"), ("log", "는", "가", "를", "로"), ("file", "은", "이", "을", "로"),
        ("line", "은", "이", "을", "으로"), ("cache", "는", "가", "를", "로"), ("web", "은", "이", "을", "으로"),
        ("network", "는", "가", "를", "로"), ("LANG", "은", "이", "을", "으로"), ("LC_ALL", "은", "이", "을", "로"),
        ("compose/stack ps", "는", "가", "를", "로"), ("20190C", "는", "가", "를", "로"), ("2019000L", "은", "이", "을", "로"),
        // Without a sound.
        ("", "는", "가", "를", "로"), ("…", "는", "가", "를", "로"), ("東京", "는", "가", "를", "로"),
        // Decomposed: 말, 밤, 나.
        ("\u{1106}\u{1161}\u{11AF}", "은", "이", "을", "로"), ("\u{1107}\u{1161}\u{11B7}", "은", "이", "을", "으로"),
        ("\u{1102}\u{1161}", "는", "가", "를", "로"),
    ])
    func `the form follows the last sound`(
        text: String, topic: String, subject: String, object: String, direction: String
    ) {
        #expect(KoreanParticle.topic.form(after: text) == topic)
        #expect(KoreanParticle.subject.form(after: text) == subject)
        #expect(KoreanParticle.direction.form(after: text) == direction)
        #expect(text.with(.object) == text + object)
    }
}
