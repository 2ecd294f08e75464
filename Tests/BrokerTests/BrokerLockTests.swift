import Foundation
import ProcessKit
import Testing

@testable import BrokerCore

@Suite struct BrokerLockTests {
    @Test func aSecondBrokerIsRefusedAndToldWhoHoldsTheLock() throws {
        let file = "\(NSTemporaryDirectory())/lock-\(UUID().uuidString)"
        defer { unlink(file) }
        let lock = try BrokerLock(file: file)
        let error = #expect(throws: StartupError.self) { _ = try BrokerLock(file: file) }
        #expect(error?.exitStatus == ExitStatus.unavailable)
        #expect(error?.description.contains("process \(getpid())") == true)
        withExtendedLifetime(lock) {}
    }

    @Test func theLockIsFreeAgainAfterItsHolder() throws {
        let file = "\(NSTemporaryDirectory())/lock-\(UUID().uuidString)"
        defer { unlink(file) }
        do { withExtendedLifetime(try BrokerLock(file: file)) {} }
        withExtendedLifetime(try BrokerLock(file: file)) {}
    }
}
