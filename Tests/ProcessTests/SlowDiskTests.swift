#if os(Linux)
    import Foundation
    import Testing

    extension ProcessTests.LifecycleTests {
        /// A cache disk that needs more than a second for each write; calls are counted there before they are made.
        @Suite struct SlowDiskTests {
            @Test func `a disk that needs a second for a write leaves no part missing`() async throws {
                try await TestStack.inRunFolder { stack in
                    let (mark, library) = (stack.runFolder + "/slow", stack.runFolder + "/slow-disk.so")
                    let built = try await Command(
                        path: "clang",
                        arguments: ["-shared", "-fPIC", "-o", library, Repository.slowDisk]
                    ).run()
                    try #require(built.status == 0, "\(built)")
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
