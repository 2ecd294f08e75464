#if os(Linux)
    import Foundation
    import Testing

    extension ProcessTests.LifecycleTests {
        /// A cache disk that needs more than a second for each write; calls are counted there before they are made.
        @Suite struct SlowDiskTests {
            @Test func `a disk that needs a second for a write leaves no part missing`() async throws {
                try await TestStack.inRunFolder { stack in
                    let mark = stack.runFolder + "/slow"
                    let library = try await Repository.buildLibrary("slow-disk", in: stack.runFolder)
                    try await stack.up(environment: ["LD_PRELOAD": library, "SLOW_DISK": mark])
                    try #require(FileManager.default.createFile(atPath: mark, contents: nil))
                    let answer: ChartAnswer = try await stack.json("show", "2013-08-15", "--timeout", "30")
                    #expect(answer.complete, "\(answer)")
                    try FileManager.default.removeItem(atPath: mark)
                }
            }
        }
    }
#endif
