import Domain
import Testing

@Suite("Titles are compared without their spelling")
struct TitleKeyTests {
    @Test(arguments: [
        ("스타워즈 라이즈 오브 스카이워커", "스타워즈: 라이즈 오브 스카이워커"), ("겨울왕국２", "겨울왕국 2"), ("겨울왕국 Ⅱ", "겨울왕국 2"),
        ("겨울왕국 II", "겨울왕국 2"), ("겨울왕국ii", "겨울왕국 2"), ("나쁜녀석들 포에버", "나쁜 녀석들: 포에버"),
        ("천문-하늘에 묻는다", "천문: 하늘에 묻는다"), ("어벤져스：엔드게임", "어벤져스: 엔드게임"), ("‘라라랜드’", "라라랜드"),
        ("spider man", "Spider-Man"), ("ＷＡＬＬ・E", "wall-e"), ("Rocky IV", "Rocky 4"), ("Rocky II!", "Rocky 2"),
        ("Rocky ＩＩ", "Rocky 2"), ("Rocky V", "Rocky Ⅴ"),
        ("닥터 스트레인지·대혼돈의 멀티버스", "닥터 스트레인지: 대혼돈의 멀티버스"), ("①의 방", "1의 방"),
    ])
    func `two spellings of a title are equal`(one: String, other: String) {
        #expect(TitleKey(one) == TitleKey(other))
    }

    @Test(arguments: [("겨울왕국", "겨울왕국 2"), ("Malcolm X", "Malcolm 10"), ("V", "5"), ("Salvi", "Sal 6"), ("활명수", "활명")])
    func `different titles are not`(one: String, other: String) {
        #expect(TitleKey(one) != TitleKey(other))
    }

    @Test func `a title without letters has an empty key, and a part is found`() {
        #expect(TitleKey(" …—'' ").isEmpty)
        #expect(TitleKey("오브 스카이").isPart(of: TitleKey("스타워즈: 라이즈 오브 스카이워커")))
    }
}
