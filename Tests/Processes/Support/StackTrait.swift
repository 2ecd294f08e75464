import Foundation
import Testing

extension TestStack {
    /// The stack that the tests of a suite share.
    @TaskLocal private static var ofSuite: TestStack?

    static var shared: TestStack { get throws { try #require(ofSuite, "the suite has no .stack trait") } }

    /// Starts one stack for all tests of a suite.
    struct Trait: SuiteTrait, TestScoping {
        let options: [String]
        let environment: [String: String]
        /// Whether servers of NATS are newer than Debian's.
        var hasNewServers = false

        func provideScope(
            for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
        ) async throws {
            var environment = environment
            if hasNewServers {
                let folder = try await Repository.newServers()
                environment["PATH"] = folder + ":" + (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin")
            }
            try await TestStack.run(options, environment: environment) { stack in
                try await TestStack.$ofSuite.withValue(stack) { try await function() }
            }
        }
    }
}

extension Trait where Self == TestStack.Trait {
    /// One stack for all tests of the suite.
    static func stack(_ options: String..., environment: [String: String] = [:]) -> Self {
        TestStack.Trait(options: options, environment: environment)
    }

    /// The same over three servers of NATS, of a version that notices when another server is silent.
    static var stackOnNATS: Self { TestStack.Trait(options: ["--nats=3"], environment: [:], hasNewServers: true) }
}

extension Tag {
    /// Starts processes, and so takes seconds rather than milliseconds.
    @Tag static var process: Self
}
