import Foundation
import ProcessKit
import TestSupport
import Testing

@Suite struct EnvironmentTests {
    @Test func `an empty variable is treated as missing`() {
        let environment = Environment(["A": "", "B": " "])
        #expect(environment["A"] == nil)
        #expect(environment["B"] == " ")
        #expect(environment["C"] == nil)
    }

    @Test(arguments: [(nil, 32), ("", 32), ("1", 1), ("1000", 1000), ("7", 7)] as [(String?, Int)])
    func `a number in its range is accepted, a missing one is the default`(text: String?, number: Int) throws {
        let environment = Environment(text.map { ["N": $0] } ?? [:])
        #expect(try environment.number("N", default: 32, in: 1...1000) == number)
    }

    @Test(arguments: ["0", "1001", "-1", "7.0", "many", " 7", "7 ", "0x7", "99999999999999999999"])
    func `another number is refused with name, value and range`(text: String) throws {
        let environment = Environment(["BOXOFFICE_CAPACITY": text])
        let error = try #require(throws: StartupError.self) {
            try environment.number("BOXOFFICE_CAPACITY", default: 32, in: 1...1000)
        }
        #expect(error.description.contains("BOXOFFICE_CAPACITY=\(text)"))
        #expect(error.description.contains("from 1 to 1000"))
        #expect(error.exitStatus == 78)
    }

    @Test(arguments: [(nil, false), ("", false), ("0", false), ("1", true)] as [(String?, Bool)])
    func `a switch is on at 1`(text: String?, isOn: Bool) throws {
        #expect(try Environment(text.map { ["S": $0] } ?? [:]).flag("S") == isOn)
    }

    @Test(arguments: ["yes", "2", "true", "on"])
    func `a switch that is neither on nor off is refused`(text: String) throws {
        let error = try #require(throws: StartupError.self) { try Environment(["S": text]).flag("S") }
        #expect(error.description == "S=\(text) is not a whole number from 0 to 1." && error.exitStatus == 78)
    }

    @Test func `the cache's folder is the given one, else by the XDG rules`() throws {
        let all = ["BOXOFFICE_CACHE_DIR": "/a", "XDG_CACHE_HOME": "/b", "HOME": "/c"]
        #expect(try Environment(all).cacheFolder() == "/a")
        #expect(try Environment(all.filter { $0.key != "BOXOFFICE_CACHE_DIR" }).cacheFolder() == "/b/boxoffice")
        #expect(try Environment(["HOME": "/c"]).cacheFolder() == "/c/.cache/boxoffice")
        let error = try #require(throws: StartupError.self) { try Environment([:]).cacheFolder() }
        #expect(error.exitStatus == 78)
        #expect(error.description.contains("BOXOFFICE_CACHE_DIR"))
    }

    @Test func `the keys' folder is the given one, else by the XDG rules`() throws {
        let all = ["BOXOFFICE_KEYS": "/a", "XDG_CONFIG_HOME": "/b", "HOME": "/c"]
        #expect(try Environment(all).keyFolder() == "/a")
        #expect(try Environment(all.filter { $0.key != "BOXOFFICE_KEYS" }).keyFolder() == "/b/boxoffice/keys")
        #expect(try Environment(["HOME": "/c"]).keyFolder() == "/c/.config/boxoffice/keys")
        let error = try #require(throws: StartupError.self) { try Environment([:]).keyFolder() }
        #expect(error.exitStatus == 78)
        #expect(error.description.contains("BOXOFFICE_KEYS"))
    }
}

@Suite struct SecretTests {
    private static let value = "5cc0ffee5cc0ffee"

    @Test func `a secret is read from its variable, before its file`() throws {
        #expect(try Environment(["KEY": Self.value, "KEY_FILE": "/nowhere"]).secret("KEY") == Self.value)
    }

    @Test func `a secret is read from the given file`() throws {
        try withTemporaryFolder { folder in
            let path = "\(folder)/key"
            try Data("\(Self.value)\n".utf8).write(to: URL(fileURLWithPath: path))
            let secret = try Environment(["KEY": "", "KEY_FILE": path]).secret("KEY")
            #expect(secret?.split(separator: "\n") == [Self.value[...]])
        }
    }

    @Test func `without variable and file there is no secret`() throws {
        #expect(try Environment(["OTHER": Self.value]).secret("KEY") == nil)
    }

    @Test func `the error names a missing file`() throws {
        let error = try #require(throws: StartupError.self) {
            try Environment(["KOBIS_API_KEY_FILE": "/nowhere/key"]).secret("KOBIS_API_KEY")
        }
        #expect(
            error.description == "KOBIS_API_KEY_FILE names /nowhere/key, which cannot be read: there is no such file.")
        #expect(error.exitStatus == 78)
    }

    @Test func `the error names a file that is not text, without its contents`() throws {
        try withTemporaryFolder { folder in
            let path = "\(folder)/key"
            try Data(Array(Self.value.utf8) + [0xFF, 0xFE]).write(to: URL(fileURLWithPath: path))
            let error = try #require(throws: StartupError.self) {
                try Environment(["KEY_FILE": path]).secret("KEY")
            }
            #expect(error.description.contains("\(path), which cannot be read: it is no UTF-8 text"))
            #expect(!error.description.contains(Self.value))
            let folderError = try #require(throws: StartupError.self) {
                try Environment(["KEY_FILE": folder]).secret("KEY")
            }
            #expect(folderError.description.contains("\(folder), which cannot be read: it is no readable file"))
        }
    }
}
