public import MessageBus
public import ProcessKit

extension BusConfiguration {
    /// The endpoints and credentials of the stack; refuses a run folder or a broker that cannot be trusted.
    ///
    /// - Parameter broker: The given endpoint, else `BOXOFFICE_BROKER`, else the run folder's.
    public static func find(
        _ broker: String?, _ environment: Environment, instance: String
    ) throws -> BusConfiguration {
        let endpoints = try BusEndpoints.find(broker, environment)
        var configuration = BusConfiguration(endpoints: endpoints, instance: instance)
        configuration.protocolVersion = try protocolVersion(environment)
        if let folder = RunFolder(of: endpoints) {
            try folder.prepare()
        } else {
            configuration.credentials = try credentials(for: endpoints.requests, environment)
        }
        return configuration
    }

    private static func protocolVersion(_ environment: Environment) throws -> ProtocolVersion {
        guard let text = environment["BOXOFFICE_PROTOCOL"] else { return .v02 }
        if let version = ProtocolVersion(rawValue: text) { return version }
        let known = ProtocolVersion.allCases.map(\.rawValue).joined(separator: " or ")
        throw unusable("BOXOFFICE_PROTOCOL=\(text) is no version of Majordomo that this program speaks. Give \(known).")
    }

    /// Nil only when clear text was requested.
    private static func credentials(for broker: String, _ environment: Environment) throws -> BusCredentials? {
        let files = (own: environment["BOXOFFICE_KEY_FILE"], broker: environment["BOXOFFICE_BROKER_KEY_FILE"])
        let isInsecure = try environment.flag("BOXOFFICE_INSECURE")
        switch files {
        case (nil, nil) where isInsecure:
            return nil
        case (let own?, let brokerKey?) where !isInsecure:
            return try BusCredentials(own: KeyFile(own, .secret), broker: KeyFile(brokerKey, .public))
        case (nil, nil):
            throw unusable("The broker \(broker) is on the network, and no keys for it are set. \(advice)")
        case (nil, _?):
            throw unusable("BOXOFFICE_BROKER_KEY_FILE is set, and BOXOFFICE_KEY_FILE is not. \(advice)")
        case (_?, nil):
            throw unusable("BOXOFFICE_KEY_FILE is set, and BOXOFFICE_BROKER_KEY_FILE is not. \(advice)")
        case (_?, _?):
            throw unusable("BOXOFFICE_INSECURE=1 asks for clear text, and key files are set too. Take one away.")
        }
    }

    private static let advice =
        "Set BOXOFFICE_KEY_FILE to this program's secret key (broker keygen --client NAME makes it) and "
        + "BOXOFFICE_BROKER_KEY_FILE to the broker's server.pub. BOXOFFICE_INSECURE=1 speaks clear text instead, "
        + "which anyone on the way can read and change."

    private static func unusable(_ message: String) -> StartupError {
        StartupError(message, exitStatus: ExitStatus.configuration)
    }
}

extension BusCredentials {
    init(own: KeyFile, broker: KeyFile) throws {
        do {
            self = try BusCredentials(secretKey: own.text(), brokerKey: broker.text())
        } catch BusCredentialsError.notASecretKey {
            throw own.invalidKeyError
        } catch BusCredentialsError.notABrokerKey {
            throw broker.invalidKeyError
        } catch BusCredentialsError.noEncryption {
            throw StartupError(
                "This libzmq was built without CURVE, so keys are of no use. Install one with libsodium.",
                exitStatus: ExitStatus.configuration)
        }
    }
}
