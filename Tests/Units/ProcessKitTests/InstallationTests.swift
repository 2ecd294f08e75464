import Testing

@testable import ProcessKit

struct InstallationTests {
    @Test(arguments: [
        ("/usr/local/lib/boxoffice/bin/gateway", "/usr/local/lib/boxoffice"),
        ("/home/a b/.local/lib/boxoffice/bin/tap", "/home/a b/.local/lib/boxoffice"),
        ("/lib/boxoffice/bin/tap", "/lib/boxoffice"),
    ])
    func `A program below lib of a prefix is installed`(program: String, home: String) {
        let installation = Installation(program: program) { _ in true }
        #expect(installation.home == home)
        #expect(installation.programs["stack"] == "\(home)/compose/stack")
        #expect(installation.programs["tap"] == "\(home)/bin/tap")
        #expect(installation.stack("ps") == "boxoffice stack ps")
    }

    @Test(arguments: [
        "/clone/.build/release/gateway", "/usr/bin/gateway", "/usr/lib/boxoffice/gateway", "/lib/boxoffice/bin/sub/tap",
        "lib/boxoffice/bin", "",
    ])
    func `Every other program is one of a clone`(program: String) {
        let installation = Installation(program: program) { _ in true }
        #expect(installation.home == nil && installation.programs.isEmpty)
        #expect(installation.stack("ps") == "compose/stack ps")
    }

    @Test(arguments: [
        ("up", "podman-compose up -d"), ("up --demo", "podman-compose -f compose.yaml -f compose.demo.yaml up -d"),
        ("scale web=1", "podman-compose up -d --scale web=1"),
        ("restart all", "podman-compose restart"), ("restart web", "podman-compose restart web"),
        ("doctor", "podman-compose logs"), ("down", "podman-compose down"),
    ])
    func `Without a launcher, messages name the commands of containers`(arguments: String, command: String) {
        let installation = Installation(program: "/opt/boxoffice/lib/boxoffice/bin/web") { !$0.hasSuffix("/stack") }
        #expect(installation.programs["stack"] == nil && installation.programs["tap"] != nil)
        #expect(installation.stack(arguments) == command)
    }

    @Test func `In a clone messages name the programs and the launcher by their paths`() {
        #expect(Installation.gateway == "gateway" && Installation.program("tap") == "tap")
        #expect(Installation.settingsFile == "compose/boxoffice.conf")
    }
}
