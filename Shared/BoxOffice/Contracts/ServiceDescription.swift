#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// A service of the stack, as described by `services.json`, the list that programs, launcher and tests share.
public struct ServiceDescription: Decodable, Sendable, Equatable {
    public enum Kind: String, Decodable, Sendable {
        case broker
        /// Answers requests; any number of instances.
        case worker
        /// Answers requests; one instance at most.
        case exclusiveWorker
        /// Serves pages over HTTP, and answers requests about itself only; one instance at most, and often none.
        case page
        /// A process that answers no requests.
        case daemon
    }

    /// The name of its executable and its name on the bus.
    public let name: String
    public let kind: Kind
    /// The name of its upstream key in `keys` of the list; nil for a service without a key.
    public let upstream: String?
    /// The number of instances in a default stack.
    public let count: Int?
    /// The limit of concurrent requests of an instance.
    public let capacity: Int?
    /// The limit of concurrent upstream fetches of an instance.
    public let concurrency: Int?
    public let isDemoOnly: Bool?

    /// All services, in the order in which they start.
    public static let all: [ServiceDescription] = list.services

    /// The description of a service; nil for an unknown name.
    public static func named(_ name: String) -> ServiceDescription? { all.first { $0.name == name } }

    private struct List: Decodable {
        let services: [ServiceDescription]
        let keys: [String: String]
    }

    private static let list: List = {
        do {
            return try JSONDecoder().decode(List.self, from: Data(PackageResources.services_json))
        } catch {
            // A part of the program, and no input: a test reads it.
            fatalError("services.json cannot be read: \(error)")
        }
    }()
}

/// The names of the services that have contracts.
public enum ServiceName {
    public static let chartFetcher = "chart-fetcher"
    public static let detailFetcher = "detail-fetcher"
    public static let posterResolver = "poster-resolver"
    public static let cacheStore = "cache-store"
    public static let archive = "archive"

    /// All services that a query needs, those with several instances first.
    public static let all = [ServiceDescription.Kind.worker, .exclusiveWorker].flatMap { names(of: $0) { $0 != 0 } }

    /// Services that a stack may have.
    public static let optional = [ServiceDescription.Kind.exclusiveWorker, .page].flatMap { names(of: $0) { $0 == 0 } }

    private static func names(of kind: ServiceDescription.Kind, where isIncluded: (_ count: Int?) -> Bool) -> [String] {
        ServiceDescription.all.filter { $0.kind == kind && isIncluded($0.count) }.map(\.name)
    }
}
