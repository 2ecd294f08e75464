import BusSettings
import MajordomoBus
import MessageBus
import ProcessKit
import ServiceKit
import Testing

@Suite struct BusProtocolTests {
    typealias Version = MajordomoConfiguration.ProtocolVersion

    private func configuration(_ text: String?) throws -> BusConfiguration {
        var variables = ["BOXOFFICE_INSECURE": "1"]
        variables["BOXOFFICE_PROTOCOL"] = text
        return try BusConfiguration.find("tcp://192.0.2.1:5555", Environment(variables), instance: "gateway/1")
    }

    @Test(arguments: [(nil, .v02), ("", .v02), ("0.2", .v02), ("0.1", .v01)] as [(String?, Version)])
    func `the environment selects the version of Majordomo`(text: String?, version: Version) throws {
        #expect(try configuration(text).broker.version == version)
    }

    @Test(arguments: ["0.3", "1", "0.1 ", "MDPC01", "latest"])
    func `an unknown version is refused by name, with the known ones`(text: String) throws {
        let error = try #require(throws: StartupError.self) { try configuration(text) }
        #expect(error.description.contains("BOXOFFICE_PROTOCOL=\(text)"))
        #expect(error.description.contains("0.1 or 0.2"))
        #expect(error.exitStatus == 78)
    }
}
