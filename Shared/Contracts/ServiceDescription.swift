#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// A service of the stack, as `services.json` describes it: the one list that programs, launcher and tests read.
public struct ServiceDescription: Decodable, Sendable, Equatable {
    public enum Kind: String, Decodable, Sendable {
        case broker
        /// Answers requests; any number of instances.
        case worker
        /// Answers requests; one instance at most.
        case exclusiveWorker
        /// Runs beside the bus.
        case daemon
    }

    /// The name of its executable, and on the bus.
    public let name: String
    public let kind: Kind
    /// Names its key in `keys` of the list; nil for a service without one.
    public let upstream: String?
    /// Instances of a usual stack.
    public let count: Int?
    /// Requests that an instance works on at a time.
    public let capacity: Int?
    /// Fetches of an instance that are at its upstream at a time.
    public let concurrency: Int?
    public let isDemoOnly: Bool?

    /// All services, in the order in which they start.
    public static let all: [ServiceDescription] = list.services

    /// The variables with the keys of upstreams.
    public static let keyVariables: [String] = list.keys.values.sorted()

    /// The description of a service; nil for an unknown name.
    public static func named(_ name: String) -> ServiceDescription? { all.first { $0.name == name } }

    private struct List: Decodable {
        let services: [ServiceDescription]
        let keys: [String: String]
    }

    // The file is part of the program; a test reads it.
    private static let list =
        (try? JSONDecoder().decode(List.self, from: Data(PackageResources.services_json)))
        ?? List(services: [], keys: [:])
}

/// The services that contracts are with, by their names.
public enum ServiceName {
    public static let chartFetcher = "chart-fetcher"
    public static let detailFetcher = "detail-fetcher"
    public static let posterResolver = "poster-resolver"
    public static let cacheStore = "cache-store"

    /// All that answer requests, those of several instances first.
    public static let all = [ServiceDescription.Kind.worker, .exclusiveWorker].flatMap { kind in
        ServiceDescription.all.filter { $0.kind == kind }.map(\.name)
    }
}
