/// Spans as the body of an OTLP/HTTP request in JSON (`ExportTraceServiceRequest` of OpenTelemetry's protocol).
struct TraceRequest: Encodable {
    let resourceSpans: [ResourceSpans]

    /// - Parameter version: of the product.
    init(_ spans: [Span], version: String) {
        var order: [String] = []
        var byInstance: [String: [Span]] = [:]
        for span in spans {
            if byInstance[span.instance] == nil { order.append(span.instance) }
            byInstance[span.instance, default: []].append(span)
        }
        resourceSpans = order.compactMap { instance in
            byInstance[instance].map { ResourceSpans(instance: instance, spans: $0, version: version) }
        }
    }

    struct ResourceSpans: Encodable {
        let resource: Resource
        let scopeSpans: [ScopeSpans]

        fileprivate init(instance: String, spans: [Span], version: String) {
            resource = Resource(attributes: [
                Attribute("service.namespace", .text("boxoffice")),
                Attribute("service.name", .text(spans[0].service)),
                Attribute("service.instance.id", .text(instance)),
                Attribute("service.version", .text(version)),
            ])
            scopeSpans = [
                ScopeSpans(scope: Scope(name: "boxoffice.exporter", version: version), spans: spans.map(SpanBody.init))
            ]
        }
    }

    struct Resource: Encodable {
        let attributes: [Attribute]
    }

    struct Scope: Encodable {
        let name: String
        let version: String
    }

    struct ScopeSpans: Encodable {
        let scope: Scope
        let spans: [SpanBody]
    }

    struct SpanBody: Encodable {
        let traceId: String
        let spanId: String
        let parentSpanId: String?
        let name: String
        let kind: Int
        /// 64-bit integers are texts in the JSON of protocol buffers.
        let startTimeUnixNano: String
        let endTimeUnixNano: String
        let attributes: [Attribute]
        let status: Status?

        init(_ span: Span) {
            (traceId, spanId, parentSpanId) = (span.trace, span.id, span.parent)
            (name, kind) = (span.name, span.kind.rawValue)
            (startTimeUnixNano, endTimeUnixNano) = ("\(span.start)000", "\(span.end)000")
            attributes = span.attributes.map { Attribute($0.name, $0.value) }
            status = span.error.map { Status(code: 2, message: $0) }
        }
    }

    /// Code 2 is an error.
    struct Status: Encodable {
        let code: Int
        let message: String
    }

    struct Attribute: Encodable {
        private let key: String
        private let value: Span.Value

        init(_ key: String, _ value: Span.Value) {
            (self.key, self.value) = (key, value)
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(key, forKey: .key)
            var inner = container.nestedContainer(keyedBy: ValueKeys.self, forKey: .value)
            switch value {
            case .text(let text): try inner.encode(text, forKey: .stringValue)
            case .number(let number): try inner.encode("\(number)", forKey: .intValue)
            case .seconds(let seconds): try inner.encode(seconds, forKey: .doubleValue)
            }
        }

        private enum CodingKeys: CodingKey { case key, value }
        private enum ValueKeys: CodingKey { case stringValue, intValue, doubleValue }
    }
}

/// The receiver's answer: how many spans it refused for good.
struct TraceReply: Decodable {
    struct PartialSuccess: Decodable {
        let rejectedSpans: Int
        let errorMessage: String?

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            // A text in the JSON of protocol buffers; some receivers write a number.
            let text = try? container.decode(String.self, forKey: .rejectedSpans)
            let number = try? container.decode(Int.self, forKey: .rejectedSpans)
            rejectedSpans = text.flatMap(Int.init) ?? number ?? 0
            errorMessage = try container.decodeIfPresent(String.self, forKey: .errorMessage)
        }

        private enum CodingKeys: CodingKey { case rejectedSpans, errorMessage }
    }

    let partialSuccess: PartialSuccess?
}
