internal import Localization
internal import Majordomo
internal import MajordomoBus
public import MessageBus
internal import NATS
public import ProcessKit

/// What a program does about a run folder that is missing; one that other users could access is refused in any case.
public enum RunFolderUse: Sendable {
    /// Makes it: a part of the stack.
    case made
    /// Ends: a client, which has no broker to ask.
    case required
    /// Goes on, to examine why there is no stack.
    case optional
}

extension BusConfiguration {
    /// The bus of the stack; refuses a run folder or a broker that cannot be trusted.
    ///
    /// - Parameters:
    ///   - broker: The given address, else `BOXOFFICE_BROKER`, else that of the stack in the run folder.
    ///   - runFolder: what becomes of a missing run folder.
    public static func find(
        _ broker: String?, _ environment: Environment, instance: String, runFolder: RunFolderUse = .required
    ) throws -> BusConfiguration {
        let endpoints: BrokerEndpoints
        switch try BusAddress.find(broker, environment) {
        case .nats(let servers): return BusConfiguration(try nats(servers, environment), instance: instance)
        case .broker(let found): endpoints = found
        }
        var broker = MajordomoConfiguration(endpoints: endpoints)
        broker.version = try protocolVersion(environment)
        if let folder = RunFolder(of: broker.endpoints.requests) {
            switch runFolder {
            case .made: try folder.prepare()
            case .required: try folder.checkForStack()
            case .optional: try folder.checkIfPresent()
            }
        } else {
            broker.credentials = try credentials(for: broker.endpoints.requests, environment)
        }
        return BusConfiguration(broker, instance: instance)
    }

    private static func nats(_ servers: [String], _ environment: Environment) throws -> NATSConfiguration {
        var configuration = NATSConfiguration(servers: servers)
        let own = try RunFolder(environment).filesOfOwnBus(.nats(servers))
        configuration.trustedCertificates = own?.certificate ?? environment["BOXOFFICE_CA_FILE"]
        if let file = (own?.key ?? environment["BOXOFFICE_KEY_FILE"]).map({ KeyFile($0, .secret) }),
            try !configuration.useKey(file.text(), in: file.path)
        {
            throw file.invalidNATSKeyError
        }
        do {
            try configuration.check()
        } catch {
            throw unusable(ko: "NATS를 쓸 수 없습니다. \(error).", en: "NATS cannot be used. \(error).")
        }
        return configuration
    }

    private static func protocolVersion(
        _ environment: Environment
    ) throws -> MajordomoConfiguration.ProtocolVersion {
        guard let text = environment["BOXOFFICE_PROTOCOL"] else { return .v02 }
        if let version = MajordomoConfiguration.ProtocolVersion(rawValue: text) { return version }
        let known = MajordomoConfiguration.ProtocolVersion.allCases.map(\.rawValue)
        throw unusable(
            ko:
                "BOXOFFICE_PROTOCOL=\(AddressText(text)): 지원하지 않는 Majordomo 버전입니다. \(known.joined(separator: ", ")) 가운데 하나를 쓰세요.",
            en: "BOXOFFICE_PROTOCOL=\(AddressText(text)) is no version of Majordomo that this program speaks. "
                + "Give \(known.joined(separator: " or ")).")
    }

    /// Nil only when clear text was requested.
    private static func credentials(for broker: String, _ environment: Environment) throws -> BrokerCredentials? {
        let files = (own: environment["BOXOFFICE_KEY_FILE"], broker: environment["BOXOFFICE_BROKER_KEY_FILE"])
        let isInsecure = try environment.flag("BOXOFFICE_INSECURE")
        switch files {
        case (nil, nil) where isInsecure:
            return nil
        case (let own?, let brokerKey?) where !isInsecure:
            return try BrokerCredentials(own: KeyFile(own, .secret), broker: KeyFile(brokerKey, .public))
        case (nil, nil):
            throw unusable(
                ko: "브로커 \(broker)는 네트워크에 있는데 키가 설정되지 않았습니다. \(advice(.ko))",
                en: "The broker \(broker) is on the network, and no keys for it are set. \(advice(.en))")
        case (nil, _?):
            throw unusable(
                ko: "BOXOFFICE_BROKER_KEY_FILE만 있고 BOXOFFICE_KEY_FILE이 없습니다. \(advice(.ko))",
                en: "BOXOFFICE_BROKER_KEY_FILE is set, and BOXOFFICE_KEY_FILE is not. \(advice(.en))")
        case (_?, nil):
            throw unusable(
                ko: "BOXOFFICE_KEY_FILE만 있고 BOXOFFICE_BROKER_KEY_FILE이 없습니다. \(advice(.ko))",
                en: "BOXOFFICE_KEY_FILE is set, and BOXOFFICE_BROKER_KEY_FILE is not. \(advice(.en))")
        case (_?, _?):
            throw unusable(
                ko: "BOXOFFICE_INSECURE=1은 평문을 뜻하는데 키 파일도 설정되어 있습니다. 하나를 빼세요.",
                en: "BOXOFFICE_INSECURE=1 asks for clear text, and key files are set too. Take one away.")
        }
    }

    private static let advice = LocalizedText(
        ko:
            "BOXOFFICE_KEY_FILE에 이 프로그램의 비밀 키(\(Installation.program("broker")) keygen --client NAME으로 만듦)를, BOXOFFICE_BROKER_KEY_FILE에 "
            + "브로커의 server.pub을 정하세요. BOXOFFICE_INSECURE=1은 평문을 쓰며, 도중에 누구나 읽고 바꿀 수 있습니다.",
        en:
            "Set BOXOFFICE_KEY_FILE to this program's secret key (\(Installation.program("broker")) keygen --client NAME makes it) and "
            + "BOXOFFICE_BROKER_KEY_FILE to the broker's server.pub. BOXOFFICE_INSECURE=1 speaks clear text instead, "
            + "which anyone on the way can read and change.")

    private static func unusable(ko: String, en: String) -> StartupError {
        StartupError(LocalizedText(ko: ko, en: en), exitStatus: ExitStatus.configuration)
    }
}

extension BrokerCredentials {
    init(own: KeyFile, broker: KeyFile) throws {
        do {
            self = try BrokerCredentials(secretKey: own.text(), brokerKey: broker.text())
        } catch BrokerCredentialsError.notASecretKey {
            throw own.invalidKeyError
        } catch BrokerCredentialsError.notABrokerKey {
            throw broker.invalidKeyError
        } catch BrokerCredentialsError.noEncryption {
            throw StartupError(
                LocalizedText(
                    ko: "이 libzmq는 CURVE 없이 빌드되어 키를 쓸 수 없습니다. libsodium을 쓰는 libzmq를 설치하세요.",
                    en: "This libzmq was built without CURVE, so keys are of no use. Install one with libsodium."),
                exitStatus: ExitStatus.configuration)
        }
    }
}
