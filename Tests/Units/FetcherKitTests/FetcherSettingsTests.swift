import Contracts
import Foundation
import Kobis
import ProcessKit
import Testing
import Upstream

@testable import FetcherKit
@testable import PosterResolverCore

/// `compose/boxoffice.conf` shows the defaults of the code.
@Suite struct FetcherSettingsTests {
    private let environment: Environment

    init() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let text = try String(contentsOf: root.appending(path: "compose/boxoffice.conf"), encoding: .utf8)
        let settings = text.matches(of: /(?m)^#([A-Z][A-Z0-9_]*)=(.*)$/).map { (String($0.1), String($0.2)) }
        environment = Environment(Dictionary(settings) { first, _ in first })
    }

    @Test(arguments: ServiceDescription.all.filter { $0.upstream != nil })
    func `the defaults are those of the list of services and of boxoffice.conf`(service: ServiceDescription) throws {
        let settings = try FetcherSettings(service: service.name, Environment([:]))
        #expect(try FetcherSettings(service: service.name, environment) == settings)
        #expect(settings.concurrency == service.concurrency && settings.capacity == service.capacity)
        #expect(environment["BOXOFFICE_CAPACITY"] == "\(settings.capacity)")
        #expect(environment["BOXOFFICE_BREAKER_FAILURES"] == "\(settings.breakerFailures)")
    }

    @Test func `hosts and limits are shown as they are`() {
        #expect(environment["KOBIS_BASE_URL"] == KobisClient.defaultBaseURL)
        #expect(environment["KAKAO_BASE_URL"] == KakaoClient.defaultBaseURL)
        #expect(environment["KOBIS_DAILY_LIMIT"] == "\(KobisClient.dailyLimit)")
        #expect(environment["KAKAO_DAILY_LIMIT"] == "\(KakaoClient.dailyLimit)")
    }

    @Test func `each service has a concurrency of its own`() throws {
        let environment = Environment(["DETAIL_FETCHER_CONCURRENCY": "1"])
        #expect(try FetcherSettings(service: "detail-fetcher", environment).concurrency == 1)
        #expect(try FetcherSettings(service: "chart-fetcher", environment).concurrency == 16)
    }
}
