import Foundation
import ProcessKit
import Testing

@testable import BrokerCore

@Suite struct BrokerLockTests {
    @Test func `a second broker is refused with the process that holds the lock`() throws {
        let file = "\(NSTemporaryDirectory())/lock-\(UUID().uuidString)"
        defer { unlink(file) }
        let lock = try BrokerLock(file: file)
        let error = #expect(throws: StartupError.self) { _ = try BrokerLock(file: file) }
        #expect(error?.exitStatus == ExitStatus.unavailable)
        #expect(error?.description.contains("process \(getpid())") == true)
        withExtendedLifetime(lock) {}
    }

    @Test func `the lock is free again after its holder`() throws {
        let file = "\(NSTemporaryDirectory())/lock-\(UUID().uuidString)"
        defer { unlink(file) }
        do { withExtendedLifetime(try BrokerLock(file: file)) {} }
        withExtendedLifetime(try BrokerLock(file: file)) {}
    }
}
