import Kobis
import Upstream

@testable import PosterResolverCore

/// An invented key, not issued by any upstream.
let sampleKey = "0123456789abcdef0123456789ABCDEF"

func kobis(_ transport: any UpstreamTransport, clock: InstantClock = InstantClock()) throws -> KobisClient {
    try KobisClient(
        baseURL: "http://kobis.example/rest", key: APIKey(sampleKey), transport: transport, retry: clock.retry())
}

func kakao(_ transport: any UpstreamTransport, clock: InstantClock = InstantClock()) throws -> KakaoClient {
    try KakaoClient(
        baseURL: "http://kakao.example/", key: APIKey(sampleKey), transport: transport, retry: clock.retry())
}

/// A deadline that no test on an instant clock reaches.
let anyDeadline = InstantClock.start + .seconds(3600)

/// The upstream error that the operation fails with; nil when it succeeds.
func upstreamError<Answer>(_ operation: () async throws -> Answer) async throws -> UpstreamError? {
    do {
        _ = try await operation()
        return nil
    } catch let error as UpstreamError {
        return error
    }
}
