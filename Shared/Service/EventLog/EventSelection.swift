public import Envelope

/// A filter of events; empty properties exclude nothing.
public struct EventSelection: Sendable, Equatable {
    /// Services ("detail-fetcher") and instances ("detail-fetcher/2"): events from them or about them.
    public var services: [String] = []
    public var kinds: [NamePattern] = []
    public var excludedKinds: [NamePattern] = []
    /// The first digits of a query id.
    public var query: String?

    public init() {}

    public func contains(_ event: Event) -> Bool {
        contains(kind: event.kind, query: event.query)
            && contains([
                event.source, event.attributes["instance"]?.description, event.attributes["service"]?.description,
            ])
    }

    /// An exchange belongs to both its requester and its responder.
    public func contains(_ exchange: Exchange) -> Bool {
        contains(kind: exchange.kind ?? "", query: exchange.query)
            && contains([exchange.requester, exchange.instance, exchange.service])
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
