import Foundation
import ProcessKit
import Testing

@Suite(.timeLimit(.minutes(1))) struct FileLockTests {
    private func withPath(_ body: (String) async throws -> Void) async throws {
        let path = "\(NSTemporaryDirectory())/lock-\(UUID().uuidString)"
        defer { unlink(path) }
        try await body(path)
    }

    @Test func `a second process is refused with the one that holds the lock`() async throws {
        try await withPath { path in
            let lock = try FileLock(path: path)
            #expect(throws: FileLock.Failure.isHeld(holder: "\(getpid())")) { _ = try FileLock(path: path) }
            withExtendedLifetime(lock) {}
        }
    }

    @Test func `the lock is free again after its holder`() async throws {
        try await withPath { path in
            do { withExtendedLifetime(try FileLock(path: path)) {} }
            withExtendedLifetime(try FileLock(path: path)) {}
        }
    }

    @Test(arguments: [false, true]) func `the loss of the file is noticed`(isReplaced: Bool) async throws {
        try await withPath { path in
            let lock = try FileLock(path: path)
            #expect(lock.isInPlace)
            async let loss: Void = lock.awaitLoss(every: .milliseconds(1))
            unlink(path)
            if isReplaced { try Data("1\n".utf8).write(to: URL(fileURLWithPath: path)) }
            await loss
            #expect(!lock.isInPlace)
        }
    }

    @Test func `a file that cannot be opened is named with the reason`() {
        #expect(throws: FileLock.Failure.cannotOpen(reason: "No such file or directory")) {
            _ = try FileLock(path: "/nowhere/lock")
        }
    }
}
