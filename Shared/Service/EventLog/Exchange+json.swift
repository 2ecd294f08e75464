internal import ProcessKit

/// An exchange as one JSON object; unknown values are null.
extension Exchange: Encodable {
    private enum CodingKeys: String, CodingKey {
        case time, query, request, parent, from, to, service, kind, subject, status, code, attempts, queuedMicroseconds
        case tookMicroseconds, upstreamMicroseconds, cache
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(RFC3339.text(microseconds: beganAt), forKey: .time)
        try container.encode(query, forKey: .query)
        try container.encode(request, forKey: .request)
        try container.encode(parent.map { query + $0 }, forKey: .parent)
        try container.encode(requester, forKey: .from)
        try container.encode(instance, forKey: .to)
        try container.encode(service, forKey: .service)
        try container.encode(kind, forKey: .kind)
        try container.encode(subject, forKey: .subject)
        try container.encode(status, forKey: .status)
        try container.encode(refusal ?? code, forKey: .code)
        try container.encode(attempts, forKey: .attempts)
        try container.encode(queuedMicroseconds, forKey: .queuedMicroseconds)
        try container.encode(tookMicroseconds, forKey: .tookMicroseconds)
        try container.encode(upstreamMicroseconds, forKey: .upstreamMicroseconds)
        try container.encode(cache, forKey: .cache)
    }

    /// "ok", "stale", "failed", "refused", "cancelled" or "open"; null for an answer without the event of its worker.
    private var status: String? {
        switch outcome {
        case .answered(let status): status
        case .refused: "refused"
        case .cancelled: "cancelled"
        case .open: "open"
        }
    }

    private var refusal: String? {
        if case .refused(let code) = outcome { code } else { nil }
    }
}
