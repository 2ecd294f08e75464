import Contracts
import Domain
import Envelope
import Localization
import Logging
import MessageBus
import ServiceKit
import TestSupport
import Testing
import Upstream

@testable import FetcherKit

/// The last calls of a day are reserved: of 15, pages leave one and background work two.
@Suite(.timeLimit(.minutes(2))) struct ReserveTests {
    @Test func `each class leaves its reserve to those above it`() async throws {
        try await StackScene.run(kobisLimit: 15) { stack in
            var codes: [FailureCode?] = []
            for day in 10...21 { codes.append(try await refusal(stack, "2019-05-\(day)", .interactive)) }
            codes.append(try await refusal(stack, "2019-05-22", .background))
            #expect(codes.allSatisfy { $0 == nil })
            codes = [
                try await refusal(stack, "2019-05-23", .background), try await refusal(stack, "2019-05-23", .web),
                try await refusal(stack, "2019-05-24", .web),
                try await refusal(stack, "2019-05-24", RequestClass(rawValue: "later")),
            ]
            #expect(codes == [.quotaReserved, nil, .quotaReserved, .quotaReserved])
            // The refusal was not remembered.
            codes = [
                try await refusal(stack, "2019-05-24", .interactive),
                try await refusal(stack, "2019-05-25", .interactive),
            ]
            #expect(codes == [nil, .quotaExceeded])
            let calls = try await stack.calls("searchDaily")
            #expect(calls == 15)
        }
    }

    @Test func `a stored value serves when the reserve is reached`() async throws {
        try await StackScene.run(kobisLimit: 15) { stack in
            for day in 10...23 { _ = try await stack.chart("2019-05-\(day)") }
            let answer = try await stack.chart("2019-05-10", isRefresh: true, as: .web)
            #expect(answer.header.status == .stale && answer.header.failure?.code == .quotaReserved)
            #expect(!answer.payload.isEmpty)
        }
    }

    @Test func `a refusal for the reserve does not end the wait of a higher class`() async throws {
        try await StackScene.run { stack in
            let parts = PartFetcher(bus: stack.bus, retry: UpstreamRetry(), logger: Logger(label: "test"))
            let (began, begin) = AsyncStream.makeStream(of: Void.self)
            async let refused = parts.answer(
                key: "test", isRefresh: false, trace: .root(.web), meter: UpstreamMeter()
            ) { terms in
                begin.finish()
                // The flight rises with the request that joins it.
                while await terms.trace().requestClass != .interactive { await Task.yield() }
                throw Failure(.quotaReserved, LocalizedText(ko: "몫", en: "reserved"), isRetryable: false)
            }
            for await _ in began {}
            let answer = await parts.answer(key: "test", isRefresh: false, trace: .root(), meter: UpstreamMeter()) {
                terms in
                let joined = await terms.trace().requestClass
                #expect(joined == .interactive)
                return FetchedPart(value: [1], freshFor: .seconds(60))
            }
            let refusal = await refused.failure?.code
            #expect(refusal == .quotaReserved)
            #expect(answer.status == .ok && answer.payload == [1])
        }
    }

    private func refusal(
        _ stack: StackScene, _ date: String, _ requestClass: RequestClass
    ) async throws -> FailureCode? {
        try await stack.chart(date, as: requestClass).header.failure?.code
    }
}
