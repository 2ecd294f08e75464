import Testing

@testable import NATS

@Suite struct SubjectsTests {
    @Test(arguments: [
        ("chart-fetcher/1", "chart-fetcher/1"), ("web/host.example-7", "web/host=2Eexample-7"),
        ("a b*>", "a=20b=2A=3E"),
        ("a=b", "a=3Db"), ("\u{1}", "=01"), ("영", "=EC=98=81"),
    ])
    func `a name is one token`(name: String, token: String) {
        #expect(Subjects.token(name) == token)
    }

    @Test func `the kind is in the subject of a request`() {
        #expect(Subjects.request("cache.put", of: "cache-store") == "boxoffice.request.cache-store.cache.put")
        #expect(Subjects.kind(of: Subjects.request("cache.put", of: "cache-store")) == "cache.put")
        #expect(Subjects.kind(of: Subjects.request("cache.put", at: "cache-store/h.x-1", over: "7z")) == "cache.put")
    }

    @Test(arguments: [
        ("chart-fetcher/box-1", "chart-fetcher.box-1"), ("web/a.b/c", "web.a=2Eb/c"), ("tap", "tap.="), ("/1", "=.1"),
        ("web/", "web.="), ("", "=.="),
        ("web/\u{301}1", "web.=CC=811"),
    ])
    func `the name of a process is two tokens`(process: String, tokens: String) {
        #expect(Subjects.name(process) == tokens)
        #expect(Subjects.event(from: process) == "boxoffice.event.\(tokens)")
    }

    @Test(arguments: ["boxoffice.event.web/1", "boxoffice.request.cache-store", "other.request.a.b", ""])
    func `another subject has no kind`(subject: String) {
        #expect(Subjects.kind(of: subject) == nil)
    }

    @Test(arguments: ["a b", "a\r\nPUB x 0", "*", ">", "", "a..b", "a.", ".a"])
    func `no kind becomes another subject or another message`(kind: String) {
        let subject = Subjects.request(kind, of: "cache-store")
        #expect(subject.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f })
        #expect(!subject.contains("*") && !subject.contains(">"))
        #expect(!subject.split(separator: ".", omittingEmptySubsequences: false).contains(""))
    }
}
