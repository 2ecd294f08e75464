import Foundation
import TestSupport
import Testing

@testable import ProcessKit

@Suite struct ConfigurationFileTests {
    @Test func `a line is a name and a value, and the rest is for people`() throws {
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
            ("BOXOFFICE_A=1\nB", "x, line 2, is no NAME=VALUE"), ("export A=1", "line 1, is no NAME=VALUE"),
            ("a=1", "line 1, is no NAME=VALUE"), ("HOME=/x", "line 1, sets HOME, which there is not"),
            ("BOXOFFICE_A=1\n\nBOXOFFICE_A=2", "line 3, sets BOXOFFICE_A a second time"),
            ("KOBIS_API_KEY=secret", "name a file that holds it: KOBIS_API_KEY_FILE="),
        ])
    func `a line that cannot be is named, and no key with it`(text: String, said: String) {
        let error = #expect(throws: StartupError.self) { try ConfigurationFile(text, path: "x") }
        #expect(error?.exitStatus == 78 && error?.description.contains(said) == true)
        #expect(error?.description.contains("secret") == false)
    }

    @Test func `the environment stands above the file, and an empty variable for the default`() throws {
        try withTemporaryFolder { folder in
            let path = folder + "/some.conf"
            try Data("KOBIS_A=file\r\nKOBIS_B=file\r\nKOBIS_C=file\r\n".utf8).write(to: URL(filePath: path))
            let environment = try Environment(["BOXOFFICE_CONFIG": path, "KOBIS_A": "own", "KOBIS_B": ""]).overFile()
            #expect([environment["KOBIS_A"], environment["KOBIS_B"], environment["KOBIS_C"]] == ["own", nil, "file"])
            #expect(
                ["KOBIS_A", "KOBIS_B", "KOBIS_C", "KOBIS_D"].map(environment.origin) == [
                    .environment, .nowhere, .file(path + ":3"), .nowhere,
                ])
            #expect(environment.file == path)
        }
    }

    @Test func `whoever names a run folder means the broker in it`() throws {
        try withTemporaryFolder { folder in
            let path = folder + "/some.conf"
            try Data("BOXOFFICE_BROKER=tcp://x:1\n".utf8).write(to: URL(filePath: path))
            #expect(try Environment(["BOXOFFICE_CONFIG": path]).overFile()["BOXOFFICE_BROKER"] == "tcp://x:1")
            let own = try Environment(["BOXOFFICE_CONFIG": path, "BOXOFFICE_RUN": folder]).overFile()
            #expect(own["BOXOFFICE_BROKER"] == nil)
        }
    }

    @Test func `it lies where others look for it, too, and need not be there`() throws {
        try withTemporaryFolder { folder in
            #expect(try Environment(["HOME": folder]).overFile()["KOBIS_A"] == nil)
            for (name, path) in [("HOME", folder + "/.config"), ("XDG_CONFIG_HOME", folder)] {
                try FileManager.default.createDirectory(
                    atPath: path + "/boxoffice", withIntermediateDirectories: true)
                try Data("KOBIS_A=\(name)\n".utf8).write(to: URL(filePath: path + "/boxoffice/boxoffice.conf"))
                #expect(try Environment([name: folder]).overFile()["KOBIS_A"] == name)
            }
        }
    }

    @Test func `the launcher's way of naming none is none`() throws {
        #expect(try Environment(["BOXOFFICE_CONFIG": "/dev/null", "A": "own"]).overFile()["A"] == "own")
    }

    @Test func `one that was named has to be there`() throws {
        try withTemporaryFolder { folder in
            let environment = Environment(["BOXOFFICE_CONFIG": folder + "/none"])
            let error = #expect(throws: StartupError.self) { try environment.overFile() }
            #expect(
                error?.exitStatus == 78 && error?.description.contains("/none cannot be read: No such file") == true
            )
        }
    }
}
