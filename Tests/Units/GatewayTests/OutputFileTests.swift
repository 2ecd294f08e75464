import Contracts
import Envelope
import Foundation
import Localization
import Testing

@testable import GatewayCore

@Suite struct OutputFileTests {
    /// Runs the body with a path in a temporary folder.
    private func withPath(_ body: (String) throws -> Void) throws {
        let folder = NSTemporaryDirectory() + "output-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try body(folder + "/out")
    }

    @Test func `a file is created or replaced atomically`() throws {
        try withPath { path in
            for bytes in [[1, 2, 3], [4]] as [[UInt8]] {
                try OutputFile(path: path).write(bytes, permissions: 0o600)
                #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data(bytes))
            }
            #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
        }
    }

    @Test(arguments: ["pipe", "folder", "link"])
    func `a pipe, a folder and a link are refused and stay unchanged`(kind: String) throws {
        try withPath { path in
            switch kind {
            case "pipe": #expect(mkfifo(path, 0o600) == 0)
            case "folder": try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
            default: try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "/dev/null")
            }
            let before = try FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType
            let failure = #expect(throws: Failure.self) { try OutputFile(path: path).write([1]) }
            #expect(failure?.code == .storage && failure?.message.en.contains(path) == true)
            #expect(try FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType == before)
        }
    }

    @Test func `a missing folder is a clear error`() throws {
        try withPath { path in
            let failure = #expect(throws: Failure.self) { try OutputFile(path: path + "/in/it").write([1]) }
            #expect(failure?.code == .storage)
        }
    }
}
