import Localization
import Testing

@Suite struct AgeTextTests {
    @Test(arguments: [
        (-5, "0초 전", "0 s old"), (0, "0초 전", "0 s old"), (59, "59초 전", "59 s old"), (60, "1분 전", "1 min old"),
        (3599, "59분 전", "59 min old"), (3600, "1시간 전", "1 h old"), (86_399, "23시간 전", "23 h old"),
        (86_400, "1일 전", "1 d old"), (864_000, "10일 전", "10 d old"),
    ])
    func `an age is given in its largest whole unit`(seconds: Int, ko: String, en: String) {
        #expect(AgeText(language: .ko).text(seconds) == ko)
        #expect(AgeText(language: .en).text(seconds) == en)
    }
}
