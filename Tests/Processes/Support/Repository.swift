import Foundation
import Testing

/// The paths of the launcher, the built binaries and the fixtures.
enum Repository {
    /// Whether `compose/test --all` runs, which includes long runs.
    static let runsAll = ProcessInfo.processInfo.environment["BOXOFFICE_TEST_ALL"] == "1"

    struct NotFound: Error, CustomStringConvertible {
        let description = "no compose/stack above \(#filePath)"
    }

    static var root: String {
        get throws {
            var folder = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
            while !FileManager.default.isExecutableFile(atPath: folder.path + "/compose/stack") {
                guard folder.path != "/" else { throw NotFound() }
                folder.deleteLastPathComponent()
            }
            return folder.path
        }
    }

    static var launcher: String { get throws { try root + "/compose/stack" } }

    /// `.build/debug`, or the folder that `BOXOFFICE_BIN` names.
    static var binaries: String {
        get throws { try ProcessInfo.processInfo.environment["BOXOFFICE_BIN"] ?? root + "/.build/debug" }
    }

    /// The folder of a newer nats-server than Debian's, which is installed at first.
    static func newServers() async throws -> String {
        let installed = try await Command(path: root + "/Tests/Tools/NATSMicro/micro", arguments: ["--server"]).run()
        guard installed.status == 0 else { throw NotFound() }
        return installed.output.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Builds a library to be preloaded from the C file of its name.
    ///
    /// - Returns: its path in `folder`.
    static func buildLibrary(_ name: String, in folder: String) async throws -> String {
        let (source, library) = ("\(Bundle.module.bundlePath)/Fixtures/\(name).c", "\(folder)/\(name).so")
        let built = try await Command(path: "clang", arguments: ["-shared", "-fPIC", "-o", library, source]).run()
        try #require(built.status == 0, "\(built)")
        return library
    }

    /// Captured screens, each reviewed by a person.
    static var screens: String { Bundle.module.bundlePath + "/Screens" }
}
