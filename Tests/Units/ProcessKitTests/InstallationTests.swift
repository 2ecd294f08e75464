import Testing

@testable import ProcessKit

struct InstallationTests {
    @Test(arguments: [
        ("/usr/local/lib/boxoffice/bin/gateway", "/usr/local/lib/boxoffice"),
        ("/home/a b/.local/lib/boxoffice/bin/tap", "/home/a b/.local/lib/boxoffice"),
        ("/lib/boxoffice/bin/tap", "/lib/boxoffice"),
    ])
    func `A program below lib of a prefix is installed`(program: String, home: String) {
        #expect(Installation.installedHome(ofProgram: program) == home)
    }

    @Test(arguments: [
        "/clone/.build/release/gateway", "/usr/bin/gateway", "/usr/lib/boxoffice/gateway", "/lib/boxoffice/bin/sub/tap",
        "lib/boxoffice/bin", "",
    ])
    func `Every other program is one of a clone`(program: String) {
        #expect(Installation.installedHome(ofProgram: program) == nil)
    }

    @Test func `In a clone messages name the launcher by its path`() {
        #expect(Installation.stack == "compose/stack")
        #expect(Installation.settingsFile == "compose/boxoffice.conf")
    }
}
