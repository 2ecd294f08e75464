import Foundation
import ProcessKit
import Testing
import ZeroMQ

@testable import BrokerCore

/// Lends a key folder that does not exist yet, in a folder of its own.
func withKeyFolder<Result>(_ body: (KeyFolder) async throws -> Result) async throws -> Result {
    let parent = "\(NSTemporaryDirectory())/keys-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: parent) }
    return try await body(KeyFolder("\(parent)/of/broker", Environment([:])))
}

extension KeyFolder {
    /// Writes a file into `clients/` as an operator would, whatever is in it.
    func list(_ text: String, as name: String, mode: Int = 0o600) throws {
        let file = "\(clients)/\(name)"
        try Data(text.utf8).write(to: URL(fileURLWithPath: file))
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file)
    }

    func unlist(_ name: String) throws {
        try FileManager.default.removeItem(atPath: "\(clients)/\(name)")
    }

    func mode(of path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }
}
