import Testing

@testable import Assembly

@Suite struct AnswerPolicyTests {
    @Test(
        arguments: [
            (nil, -1_000_000, true), (.seconds(60), .min, false), (nil, nil, true), (.zero, 0, false),
            (.zero, -1, false), (.zero, nil, false),
            (.seconds(60), 0, true), (.seconds(60), -60, true), (.seconds(60), -61, false), (.seconds(60), nil, false),
        ] as [(Duration?, Int?, Bool)])
    func `a value may be past its freshness up to the allowed bound`(bound: Duration?, ttl: Int?, isAllowed: Bool) {
        #expect(AnswerPolicy(maxStale: bound).allows(ttl: ttl) == isAllowed)
    }

    @Test(
        arguments: [
            (.zero, nil, -1, false), (.seconds(60), nil, -59, true), (.seconds(60), nil, -60, false),
            (.seconds(60), .seconds(30), -31, false), (.seconds(60), .zero, 0, false),
        ] as [(Duration, Duration?, Int, Bool)])
    func `a value that is served while it is revalidated must be allowed to serve`(
        revalidation: Duration, bound: Duration?, ttl: Int, serves: Bool
    ) {
        let policy = AnswerPolicy(maxStale: bound, staleWhileRevalidate: revalidation)
        #expect(policy.revalidates(ttl: ttl) == serves)
    }
}
