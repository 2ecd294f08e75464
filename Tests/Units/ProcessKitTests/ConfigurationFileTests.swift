import Foundation
import TestSupport
import Testing

@testable import ProcessKit

@Suite struct ConfigurationFileTests {
    @Test func `a line is a name and a value; comments and blank lines are ignored`() throws {
        let file = try ConfigurationFile(
            """
            # how many
            BOXOFFICE_CAPACITY=8

              BOXOFFICE_RUN = /tmp/a folder # with a comment?\t
            #KOBIS_DAILY_LIMIT=1
            BOXOFFICE_RECORD=
            """, path: "x")
        #expect(
            file.values == [
                "BOXOFFICE_CAPACITY": "8", "BOXOFFICE_RUN": "/tmp/a folder # with a comment?", "BOXOFFICE_RECORD": "",
            ])
    }

    @Test(
        arguments: [
            ("BOXOFFICE_RUN=1\nB", "x, line 2: not NAME=VALUE."), ("export A=1", "line 1: not NAME=VALUE."),
            ("a=1", "line 1: not NAME=VALUE."), ("HOME=/x", "line 1: unknown setting HOME."),
            ("BOXOFFICE_LOGG=debug", "unknown setting BOXOFFICE_LOGG. Did you mean BOXOFFICE_LOG?"),
            ("BOXOFFICE_LOG=1\n\nBOXOFFICE_LOG=2", "line 3: BOXOFFICE_LOG is set twice."),
            ("KOBIS_API_KEY=secret", "Set the path of a key file: KOBIS_API_KEY_FILE="),
        ])
    func `the error names an invalid line, and contains no key`(text: String, said: String) {
        let error = #expect(throws: StartupError.self) { try ConfigurationFile(text, path: "x") }
        #expect(error?.exitStatus == 78 && error?.description.contains(said) == true)
        #expect(error?.description.contains("secret") == false)
    }

    @Test func `the environment overrides the file, and an empty variable selects the default`() throws {
        try withTemporaryFolder { folder in
            let path = folder + "/some.conf"
            try Data("BOXOFFICE_LOG=file\r\nBOXOFFICE_KEYS=file\r\nBOXOFFICE_PROTOCOL=file\r\n".utf8).write(
                to: URL(filePath: path))
            let environment = try Environment(["BOXOFFICE_CONFIG": path, "BOXOFFICE_LOG": "own", "BOXOFFICE_KEYS": ""])
                .mergingFile()
            #expect(
                [environment["BOXOFFICE_LOG"], environment["BOXOFFICE_KEYS"], environment["BOXOFFICE_PROTOCOL"]] == [
                    "own", nil, "file",
                ])
            #expect(
                ["BOXOFFICE_LOG", "BOXOFFICE_KEYS", "BOXOFFICE_PROTOCOL", "BOXOFFICE_RECORD"].map(environment.origin)
                    == [
                        .environment, .nowhere, .file(path + ":3"), .nowhere,
                    ])
            #expect(environment.file == path)
        }
    }

    @Test func `a run folder in the environment overrides a broker in the file`() throws {
        try withTemporaryFolder { folder in
            let path = folder + "/some.conf"
            try Data("BOXOFFICE_BROKER=tcp://x:1\n".utf8).write(to: URL(filePath: path))
            #expect(try Environment(["BOXOFFICE_CONFIG": path]).mergingFile()["BOXOFFICE_BROKER"] == "tcp://x:1")
            let own = try Environment(["BOXOFFICE_CONFIG": path, "BOXOFFICE_RUN": folder]).mergingFile()
            #expect(own["BOXOFFICE_BROKER"] == nil)
        }
    }

    @Test func `the default paths follow the XDG rules, and the file is optional`() throws {
        try withTemporaryFolder { folder in
            #expect(try Environment(["HOME": folder]).mergingFile()["BOXOFFICE_LOG"] == nil)
            for (name, path) in [("HOME", folder + "/.config"), ("XDG_CONFIG_HOME", folder)] {
                try FileManager.default.createDirectory(
                    atPath: path + "/boxoffice", withIntermediateDirectories: true)
                try Data("BOXOFFICE_LOG=\(name)\n".utf8).write(to: URL(filePath: path + "/boxoffice/boxoffice.conf"))
                #expect(try Environment([name: folder]).mergingFile()["BOXOFFICE_LOG"] == name)
            }
        }
    }

    @Test func `every setting that boxoffice.conf explains may stand in a file`() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")
        let text = try String(contentsOf: root.appending(path: "compose/boxoffice.conf"), encoding: .utf8)
        let settings = text.split(separator: "\n").filter { $0.wholeMatch(of: /#[A-Z][A-Z0-9_]*=.*/) != nil }
        #expect(settings.count > 30)
        let file = settings.map { $0.dropFirst() }.joined(separator: "\n")
        #expect(try ConfigurationFile(file, path: "boxoffice.conf").values.count == settings.count)
    }

    @Test func `the null device as the path disables the file`() throws {
        #expect(try Environment(["BOXOFFICE_CONFIG": "/dev/null", "A": "own"]).mergingFile()["A"] == "own")
    }

    @Test func `an explicitly given file must exist`() throws {
        try withTemporaryFolder { folder in
            let environment = Environment(["BOXOFFICE_CONFIG": folder + "/none"])
            let error = #expect(throws: StartupError.self) { try environment.mergingFile() }
            #expect(
                error?.exitStatus == 78 && error?.description.contains("/none: No such file") == true
            )
        }
    }
}
