import Testing

@testable import Assembly

@Suite struct AnswerPolicyTests {
    @Test(
        arguments: [
            (nil, -1_000_000, true), (.seconds(60), .min, false), (nil, nil, true), (.zero, 0, false),
            (.zero, -1, false), (.zero, nil, false),
            (.seconds(60), 0, true), (.seconds(60), -60, true), (.seconds(60), -61, false), (.seconds(60), nil, false),
        ] as [(Duration?, Int?, Bool)])
    func `a value may be past its freshness for as long as was allowed`(bound: Duration?, ttl: Int?, isAllowed: Bool) {
        #expect(AnswerPolicy(maxStale: bound).allows(ttl: ttl) == isAllowed)
    }

    @Test(
        arguments: [
            (.zero, nil, -1, false), (.seconds(60), nil, -59, true), (.seconds(60), nil, -60, false),
            (.seconds(60), .seconds(30), -31, false), (.seconds(60), .zero, 0, false),
        ] as [(Duration, Duration?, Int, Bool)])
    func `what serves while it is fetched anew must be allowed to serve at all`(
        revalidation: Duration, bound: Duration?, ttl: Int, serves: Bool
    ) {
        let policy = AnswerPolicy(maxStale: bound, staleWhileRevalidate: revalidation)
        #expect(policy.revalidates(ttl: ttl) == serves)
    }
}
