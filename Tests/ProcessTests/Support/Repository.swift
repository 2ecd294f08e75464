import Foundation

/// Where the launcher, the built binaries and the fixtures lie.
enum Repository {
    /// Whether `compose/test --all` runs: what is long may take its time.
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

    /// Recorded bodies in the upstream's shape, all invented.
    static var recordings: String {
        get throws { Bundle.module.bundlePath + "/Fixtures" }
    }

    /// The contracts of what the gateway prints as JSON.
    static var schemas: String { get throws { try root + "/Services/Gateway/Schemas" } }

    /// Captured screens, each looked at by somebody.
    static var screens: String { Bundle.module.bundlePath + "/Screens" }

    /// The keys of a demo stack, as the launcher's source spells them: what must never be seen elsewhere.
    static var demoKeys: [String] {
        get throws {
            let source = try String(contentsOfFile: root + "/compose/launcher/secrets.py", encoding: .utf8)
            return source.matches(of: /_KEY": "([0-9A-Za-z]{32})"/).map { String($0.output.1) }
        }
    }
}
