import BusSettings
internal import CommandKit
internal import Envelope
internal import Localization
public import Logging
public import MessageBus
public import ProcessKit
public import ServiceLifecycle
internal import UnixSignals

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Darwin
#endif

/// Runs a service's process: reads the environment, runs services until TERM or INT, returns an exit code.
public struct ServiceProcess: Sendable {
    public let name: String
    public let environment: Environment
    public let logger: Logger

    /// - Throws: `StartupError` when `BOXOFFICE_LOG` is not a log level.
    public init(name: String, environment: Environment) throws {
        self.name = name
        self.environment = environment
        var logger = Logger(label: name) { LineLogHandler(label: $0) }
        logger.logLevel = try environment["BOXOFFICE_LOG"].map(Self.level) ?? .notice
        self.logger = logger
    }

    /// What `BOXOFFICE_LOG` may be.
    public static let logLevels = Logger.Level.allCases.map(\.rawValue)

    private static func level(_ text: String) throws -> Logger.Level {
        guard let level = Logger.Level(rawValue: text) else {
            let levels = logLevels.joined(separator: ", ")
            throw StartupError.unusable("BOXOFFICE_LOG", text, ko: levels, en: "one of: \(levels)")
        }
        return level
    }

    /// The name on the bus: set by the launcher, else made unique by the host and the process id.
    public var instance: String { environment["BOXOFFICE_INSTANCE"] ?? InstanceName.unique(name) }

    /// Joins the bus and runs the services that `make` returns until a signal stops the process; with `--check` it only
    /// looks whether the bus can be found, after the caller has read its own settings.
    public func run(_ options: ServiceOptions, _ make: (MessageBus) async throws -> [any Service]) async throws {
        var configuration = try BusConfiguration.find(
            options.endpoint.broker, environment, instance: instance, runFolder: options.check ? .optional : .made)
        guard !options.check else { return }
        configuration.onProblem = { logger.warning("the bus cannot be used", metadata: ["reason": "\($0.message.en)"]) }
        try await withMessageBus(configuration) { bus in
            try await run(make(bus))
        }
    }

    /// Runs services until TERM or INT stops them gracefully; an earlier end is a failure.
    public func run(_ services: [any Service]) async throws {
        logger.notice("the limit of open files", metadata: ["limit": "\(ProcessLimits.descriptors)"])
        let group = ServiceGroup(
            configuration: ServiceGroupConfiguration(
                services: services.map {
                    // A drained worker ends its process; any other end is a failure.
                    .init(service: $0, successTerminationBehavior: .gracefullyShutdownGroup)
                }, gracefulShutdownSignals: [.sigterm, .sigint], logger: logger))
        try await group.run()
    }

    /// Runs a program's body, which returns the exit code; an error is printed as a line and sets the exit code.
    public static func main(_ body: (Environment) async throws -> Int32) async {
        await main { try await body(.load()) }
    }

    /// The same for a body that does not use the settings, and therefore runs even if they are invalid.
    public static func main(_ body: () async throws -> Int32) async {
        StandardStreams.reopenClosedDescriptors()
        ProcessLimits.raiseDescriptors()
        do {
            exit(try await body())
        } catch let error as StartupError {
            // A log is English unless its reader has asked for another language.
            let language = Environment.process[Language.variable].flatMap(Language.init) ?? .en
            fail(error.message(language), exitStatus: error.exitStatus)
        } catch {
            fail("\(error)", exitStatus: ExitStatus.software)
        }
    }

    /// Ends the process at once: nothing is closed or removed.
    public static func fail(_ message: String, exitStatus: Int32) -> Never {
        LineOutput.note("\(message)\n")
        exit(exitStatus)
    }
}
