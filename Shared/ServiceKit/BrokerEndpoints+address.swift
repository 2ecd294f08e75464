internal import Localization
public import MessageBus
public import ProcessKit

extension BrokerEndpoints {
    /// The endpoints derived from a broker's request endpoint: for ipc files next to it, for tcp the next two ports.
    ///
    /// - Parameter broker: "ipc:///run/…/broker.ipc" or "tcp://host:port".
    public init(broker: String) throws {
        if broker.hasPrefix("ipc:///"), broker.hasSuffix("/broker.ipc") {
            let folder = broker.dropFirst("ipc://".count).dropLast("/broker.ipc".count)
            self = try RunFolder(path: String(folder)).endpoints()
        } else if let match = broker.wholeMatch(of: /(tcp:\/\/[^\/]+):([0-9]{1,5})/), let port = Int(match.2),
            (1...65_533).contains(port)
        {
            let host = match.1
            self.init(requests: broker, eventsIn: "\(host):\(port + 1)", events: "\(host):\(port + 2)")
        } else {
            throw StartupError(
                LocalizedText(
                    ko: "\("'\(broker)'".with(.topic)) 브로커 주소가 아닙니다. ipc:///폴더/broker.ipc나 tcp://호스트:포트를 쓰세요.",
                    en: "\"\(broker)\" is no broker's endpoint. Give ipc:///FOLDER/broker.ipc or tcp://HOST:PORT."),
                exitStatus: ExitStatus.usage)
        }
    }

    /// The endpoints of the stack: the given endpoint, else `BOXOFFICE_BROKER`, else the run folder's.
    public static func find(_ given: String?, _ environment: Environment) throws -> BrokerEndpoints {
        if let broker = given ?? environment["BOXOFFICE_BROKER"] { return try BrokerEndpoints(broker: broker) }
        return try RunFolder(environment).endpoints()
    }
}
