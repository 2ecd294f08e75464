public import ArgumentParser
internal import CommandKit

/// The options of every service that joins the bus.
public struct ServiceOptions: ParsableArguments {
    @OptionGroup var endpoint: BrokerOption

    @Flag(
        help: .words(
            "설정만 확인(종료 코드: 정상 0, 잘못된 설정 78)", "Check the settings and exit: 0, or 78 with the setting that is wrong."))
    public var check = false

    @OptionGroup var language: LanguageOption

    public init() {}
}
