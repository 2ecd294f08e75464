/// What the caller of a request may do: each role may do what the ones before it may.
///
/// The transport authenticates the caller, our broker writes the role into the control frame, and services refuse by
/// `least(for:)`. A caller that reaches the run folder is an operator.
public enum Role: UInt8, Sendable, Comparable, CaseIterable {
    /// Asks: a gateway, a page.
    case client = 1
    /// A service of the stack, which stores what it fetches.
    case worker
    /// Changes what is stored.
    case stackOperator

    public static func < (left: Role, right: Role) -> Bool { left.rawValue < right.rawValue }

    /// The least role for a kind of request; that of an operator for each kind that is not listed.
    public static func least(for kind: String) -> Role { leastRoles[kind] ?? .stackOperator }

    private static let leastRoles: [String: Role] = {
        let asked =
            ChartRequest.kinds + FilmPart.allCases.map(\.requestKind) + FilmSearchRequest.kinds
            + PosterImageRequest.kinds + ServiceRequest.kinds
            + [CachePeekRequest.kind, CacheStatsRequest.kind, QuotaListRequest.kind]
            + [
                ArchiveChartsRequest.kind, ArchiveRunRequest.kind, ArchiveEstimateRequest.kind,
                ArchiveEditionsRequest.kind, ArchiveOrderRequest.kind, ArchiveStatusRequest.kind,
                ArchiveTopRequest.kind, ArchiveShareRequest.kind, ArchiveRecordsRequest.kind, ArchiveNewRequest.kind,
                ArchiveTitlesRequest.kind, ArchivePersonRequest.kind, ArchiveLeadersRequest.kind,
            ]
        let stored = [
            CacheGetRequest.kind, CachePutRequest.kind, CacheRenewRequest.kind, CacheReleaseRequest.kind,
            QuotaTakeRequest.kind, QuotaExhaustedRequest.kind,
        ]
        let pairs = asked.map { ($0, Role.client) } + stored.map { ($0, Role.worker) }
        return Dictionary(uniqueKeysWithValues: pairs)
    }()

    /// The kinds that a role may send.
    public func kinds() -> [String] { Self.leastRoles.filter { $0.value <= self }.keys.sorted() }
}
