import Foundation
import Localization
import ProcessKit
import TestSupport
import Testing

@testable import GatewayCore

@Suite struct SettingsTests {
    private func report(
        _ values: [String: String], broker: String? = nil, language: Language? = nil
    ) -> [String: Setting] {
        let report = SettingsReport(Environment(values), broker: broker, language: language, isColourless: false)
        return Dictionary(uniqueKeysWithValues: report.settings.map { ($0.name, $0) })
    }

    @Test func `an option overrides the environment, which overrides the default`() {
        let defaults = report([:])
        #expect(
            defaults["BOXOFFICE_AMBIGUOUS_WIDTH"]
                == Setting(name: "BOXOFFICE_AMBIGUOUS_WIDTH", value: "1", origin: "default"))
        #expect(defaults["BOXOFFICE_LANG"] == Setting(name: "BOXOFFICE_LANG", value: "ko", origin: "default"))
        #expect(defaults["LANG"] == Setting(name: "LANG", value: nil, origin: "default"))
        let set = report(["BOXOFFICE_BROKER": "tcp://a:1", "BOXOFFICE_RUN": "/r", "LC_ALL": "en_GB.UTF-8"])
        #expect(set["BOXOFFICE_BROKER"]?.value == "tcp://a:1" && set["BOXOFFICE_BROKER"]?.origin == "environment")
        #expect(set["LC_ALL"] == Setting(name: "LC_ALL", value: "en_GB.UTF-8", origin: "environment"))
        #expect(set["BOXOFFICE_LANG"] == Setting(name: "BOXOFFICE_LANG", value: "en", origin: "default"))
        let given = report(["BOXOFFICE_BROKER": "tcp://a:1"], broker: "tcp://b:2", language: .en)
        #expect(given["BOXOFFICE_BROKER"] == Setting(name: "BOXOFFICE_BROKER", value: "tcp://b:2", origin: "option"))
        #expect(given["BOXOFFICE_LANG"] == Setting(name: "BOXOFFICE_LANG", value: "en", origin: "option"))
    }

    @Test func `a setting derived from another one is reported with its effective value`() {
        let settings = report(["BOXOFFICE_RUN": "/r"])
        #expect(settings["BOXOFFICE_BROKER"]?.value == "ipc:///r/broker.ipc")
        // An invalid value is shown unchanged, for diagnosis.
        #expect(report([:], broker: "nonsense")["BOXOFFICE_BROKER"]?.value == "nonsense")
    }

    @Test func `only the presence of a key is reported`() throws {
        let values = ["KOBIS_API_KEY": "secretsecret", "KAKAO_REST_API_KEY_FILE": "/k"]
        let settings = report(values)
        #expect(settings["KOBIS_API_KEY"] == Setting(name: "KOBIS_API_KEY", value: "set", origin: "environment"))
        #expect(settings["KAKAO_REST_API_KEY"]?.value == "set" && report([:])["KOBIS_API_KEY"]?.value == nil)
        let report = SettingsReport(Environment(values), broker: nil, language: nil, isColourless: true)
        for isJSON in [false, true] {
            let answer = try Samples.presentation(isJSON: isJSON).settings(report)
            #expect(answer.exitStatus == 0)
            #expect(!String(decoding: answer.output, as: UTF8.self).contains("secretsecret"))
        }
    }
}
