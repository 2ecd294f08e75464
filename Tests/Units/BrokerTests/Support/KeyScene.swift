import Contracts
import Foundation
import ProcessKit
import Testing
import ZeroMQ

@testable import BrokerCore

/// Provides a key folder that does not exist yet, in a temporary folder.
func withKeyFolder<Result>(_ body: (KeyFolder) async throws -> Result) async throws -> Result {
    let parent = "\(NSTemporaryDirectory())/keys-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: parent) }
    return try await body(KeyFolder("\(parent)/of/broker", Environment([:])))
}

extension KeyFolder {
    /// Writes a file with any text into `clients/`, as an operator would.
    func list(_ text: String, as name: String, mode: Int = 0o600) throws {
        let file = "\(clients)/\(name)"
        try Data(text.utf8).write(to: URL(fileURLWithPath: file))
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file)
    }

    func unlist(_ name: String) throws {
        for folder in [clients, folder(of: .stackOperator)]
        where FileManager.default.fileExists(atPath: "\(folder)/\(name)") {
            try FileManager.default.removeItem(atPath: "\(folder)/\(name)")
        }
    }

    var clients: String { folder(of: .client) }

    func mode(of path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }
}
