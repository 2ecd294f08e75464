import Foundation
import Majordomo
import MessageBus
import ProcessKit
import TestSupport
import Testing

@testable import BusSettings

@Suite struct RunFolderTests {
    @Test func `the folder is the given one, else the session's, else one in tmp`() throws {
        let both = ["BOXOFFICE_RUN": "/a/b", "XDG_RUNTIME_DIR": "/run/user/7"]
        #expect(RunFolder(Environment(both)).path == "/a/b")
        let own = FileManager.default.temporaryDirectory.path + "/run-folder-\(UInt64.random(in: 0 ... .max))"
        try FileManager.default.createDirectory(atPath: own, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(atPath: own) }
        #expect(RunFolder(Environment(["XDG_RUNTIME_DIR": own])).path == "\(own)/boxoffice")
        for foreign in ["/nowhere", "relative", "/dev/null"] {
            #expect(RunFolder(Environment(["XDG_RUNTIME_DIR": foreign])).path == "/tmp/boxoffice-\(geteuid())")
        }
        #expect(RunFolder(Environment(["BOXOFFICE_RUN": ""])).path == "/tmp/boxoffice-\(getuid())")
    }

    @Test func `the folder contains three sockets and a lock`() throws {
        let folder = RunFolder(Environment(["BOXOFFICE_RUN": "/a/b"]))
        #expect(
            try folder.endpoints()
                == BrokerEndpoints(
                    requests: "ipc:///a/b/broker.ipc", eventsIn: "ipc:///a/b/events-in.ipc",
                    events: "ipc:///a/b/events.ipc"))
        #expect(folder.lockFile == "/a/b/broker.lock")
    }

    @Test(arguments: [("/a/b/", "/a/b"), ("/a//", "/a"), ("/", "/"), ("/가/", "/가")])
    func `a slash at the end is irrelevant`(given: String, path: String) {
        #expect(RunFolder(Environment(["BOXOFFICE_RUN": given])).path == path)
    }

    @Test func `a socket path of 103 bytes is possible, a longer one is refused with its name`() throws {
        // "/events-in.ipc" has 14 bytes, a Hangul syllable 3.
        let most = "/" + String(repeating: "가", count: 29) + "a"
        #expect(try RunFolder(path: most).endpoints().eventsIn.utf8.count == 103 + "ipc://".utf8.count)
        let error = try #require(throws: StartupError.self) { try RunFolder(path: most + "b").endpoints() }
        #expect(error.description.contains("\(most)b/events-in.ipc"))
        #expect(error.description.contains("104"))
        #expect(error.description.contains("BOXOFFICE_RUN"))
        #expect(error.exitStatus == 78)
    }

    @Test func `a missing folder is created with access for its owner only`() throws {
        try withTemporaryFolder { parent in
            let folder = RunFolder(path: "\(parent)/run")
            try folder.prepare()
            let attributes = try FileManager.default.attributesOfItem(atPath: folder.path)
            #expect(attributes[.posixPermissions] as? Int == 0o700)
            #expect(attributes[.type] as? FileAttributeType == .typeDirectory)
            // A second start accepts it unchanged.
            try folder.prepare()
        }
    }

    @Test(arguments: [0o701, 0o710, 0o720, 0o755, 0o777])
    func `a folder that is accessible to others is refused with its mode`(mode: Int) throws {
        try withTemporaryFolder { parent in
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: parent)
            let error = try #require(throws: StartupError.self) { try RunFolder(path: parent).prepare() }
            #expect(error.description.contains(parent))
            #expect(error.description.contains(String(mode, radix: 8)))
            #expect(error.exitStatus == 78)
        }
    }

    @Test(arguments: ["", "/"])
    func `a symbolic link is refused with and without a trailing slash`(ending: String) throws {
        try withTemporaryFolder { parent in
            let link = "\(parent)/link"
            let target = "\(parent)/target"
            try RunFolder(path: target).prepare()
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)
            let error = try #require(throws: StartupError.self) { try RunFolder(path: link + ending).prepare() }
            #expect(error.description.contains(link))
            #expect(error.exitStatus == 78)
        }
    }

    @Test func `the error names a file at its path and a missing parent`() throws {
        try withTemporaryFolder { parent in
            let file = "\(parent)/file"
            try Data().write(to: URL(fileURLWithPath: file))
            for (path, exitStatus) in [(file, 78), ("\(parent)/missing/run", 74)] as [(String, Int32)] {
                let error = try #require(throws: StartupError.self) { try RunFolder(path: path).prepare() }
                #expect(error.description.contains(path))
                #expect(error.exitStatus == exitStatus)
            }
        }
    }
}
