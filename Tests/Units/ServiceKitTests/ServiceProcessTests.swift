import Envelope
import Foundation
import Logging
import ProcessKit
import Testing

@testable import ServiceKit

@Suite struct ServiceProcessTests {
    @Test func `an instance has the launcher's name, else one with its host and process id`() throws {
        let named = try ServiceProcess(name: "detail-fetcher", environment: Environment(["BOXOFFICE_INSTANCE": "x/3"]))
        #expect(named.instance == "x/3")
        let own = try ServiceProcess(name: "detail-fetcher", environment: Environment([:]))
        let host = InstanceName.host(ProcessInfo.processInfo.hostName)
        #expect(own.instance.hasPrefix("detail-fetcher/\(host)-"))
        #expect(own.instance.hasSuffix("-\(ProcessInfo.processInfo.processIdentifier)"))
    }

    @Test(
        arguments: [
            ("pid:[4026531836]", "1"), ("pid:[4026532201]", "4026532201-1"), ("", "1"), ("pid:[x]", "1"),
            ("pid:[99999999999]", "1"),
        ])
    func `processes of containers that share a host name differ by their namespaces`(namespace: String, id: String) {
        #expect(InstanceName.process(1, namespace: namespace) == id)
    }

    @Test func `the instance of this container is the one of its first process`() {
        let named = Environment(["BOXOFFICE_INSTANCE": "web/1"])
        #expect(InstanceName.resolve("web/self", in: named) == "web/1")
        #expect(InstanceName.resolve("web/2", in: named) == "web/2")
        let unnamed = InstanceName.resolve("web/self", in: Environment([:]))
        let own = InstanceName.unique("web")
        let id = "-\(ProcessInfo.processInfo.processIdentifier)"
        #expect(unnamed == own.dropLast(id.utf8.count) + "-1")
    }

    @Test(
        arguments: [
            ("mac.local", "mac"), ("3f2a1b0c9d8e", "3f2a1b0c9d8e"), ("my_host", "my-host"), ("서버", "------"),
            (String(repeating: "a", count: 63), String(repeating: "a", count: 32)), ("", "host"), (".x", "host"),
        ])
    func `a host gives its first label, in characters that every name may have`(name: String, host: String) {
        #expect(InstanceName.host(name) == host)
    }

    @Test(
        arguments: [(nil, .notice), ("", .notice), ("debug", .debug), ("trace", .trace), ("error", .error)]
            as [(String?, Logger.Level)])
    func `the debug log is off by default`(text: String?, level: Logger.Level) throws {
        let environment = Environment(text.map { ["BOXOFFICE_LOG": $0] } ?? [:])
        #expect(try ServiceProcess(name: "broker", environment: environment).logger.logLevel == level)
    }

    @Test func `an unknown log level is refused with the known levels`() {
        #expect {
            _ = try ServiceProcess(name: "broker", environment: Environment(["BOXOFFICE_LOG": "loud"]))
        } throws: { error in
            (error as? StartupError)?.exitStatus == ExitStatus.configuration
                && "\(error)"
                    == "BOXOFFICE_LOG=loud cannot be used. Set it to one of: trace, debug, info, notice, warning, error, "
                    + "critical."
        }
    }
}

@Suite struct ExitStatusTests {
    @Test func `the exit codes are the documented ones`() {
        #expect(ExitStatus.complete == 0)
        #expect(ExitStatus.usage == 64)
        #expect(ExitStatus.dataError == 65)
        #expect(ExitStatus.noInput == 66)
        #expect(ExitStatus.unavailable == 69)
        #expect(ExitStatus.software == 70)
        #expect(ExitStatus.inputOutput == 74)
        #expect(ExitStatus.temporary == 75)
        #expect(ExitStatus.noPermission == 77)
        #expect(ExitStatus.configuration == 78)
    }

    @Test func `the description of a startup error is its message`() {
        #expect("\(StartupError("No such folder.", exitStatus: 74))" == "No such folder.")
    }
}

@Suite struct EventAttributeTests {
    @Test(
        arguments: [
            (CacheStatus(hit: true, ttl: 5), "hit"),
            (CacheStatus(hit: false, fwd: .uriMiss, stored: true), "fwd=miss; stored"),
            (CacheStatus(hit: false, fwd: .stale, collapsed: true), "fwd=stale; collapsed"),
            (CacheStatus(hit: false, fwd: .bypass, collapsed: false, stored: false), "fwd=bypass"),
            (CacheStatus(hit: false), "fwd=miss"),
        ])
    func `cache attributes have a short summary`(attributes: CacheStatus, summary: String) {
        #expect(attributes.summary == summary)
    }

    @Test(
        arguments: [
            (.zero, 0), (.microseconds(1), 1), (.nanoseconds(1999), 1), (.seconds(3) + .microseconds(5), 3_000_005),
            (.milliseconds(-2), -2000),
        ] as [(Duration, Int)])
    func `a duration is given in whole microseconds`(duration: Duration, microseconds: Int) {
        #expect(duration.wholeMicroseconds == microseconds)
    }

    @Test func `a clock gives the same time in each unit`() {
        let clock = WallClock { 1_795_248_550.25 }
        #expect(clock.microseconds == 1_795_248_550_250_000)
        #expect(clock.milliseconds == 1_795_248_550_250)
    }
}
