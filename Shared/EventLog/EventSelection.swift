public import Envelope

/// Which events somebody wants to see; what is left empty leaves nothing out.
public struct EventSelection: Sendable {
    /// Services ("detail-fetcher") and instances ("detail-fetcher/2"): events that they say or that are about them.
    public var services: [String] = []
    public var kinds: [NamePattern] = []
    public var excludedKinds: [NamePattern] = []
    /// A query's first digits.
    public var query: String?

    public init() {}

    public func contains(_ event: Event) -> Bool {
        contains(kind: event.kind, query: event.query)
            && contains([
                event.source, event.attributes["instance"]?.description, event.attributes["service"]?.description,
            ])
    }

    /// An exchange is of both who asks and who answers.
    public func contains(_ exchange: Exchange) -> Bool {
        contains(kind: exchange.kind ?? "", query: exchange.query)
            && contains([exchange.asker, exchange.instance, exchange.service])
    }

    private func contains(kind: String, query other: String?) -> Bool {
        if let query, other?.hasPrefix(query) != true { return false }
        return (kinds.isEmpty || kinds.contains { $0.matches(kind) }) && !excludedKinds.contains { $0.matches(kind) }
    }

    private func contains(_ names: [String?]) -> Bool {
        services.isEmpty
            || names.contains { name in
                guard let name else { return false }
                return services.contains { $0 == name || name.hasPrefix("\($0)/") }
            }
    }
}
