import AsyncHTTPClient
import Contracts
import Domain
import Envelope
import MessageBus
import NIOCore
import NIOHTTP1
import ServiceKit
import TestSupport
import Testing

extension StackScene {
    func chart(
        _ date: String, filter: ChartFilter = .everything, isRefresh: Bool = false,
        as requestClass: RequestClass = .interactive
    ) async throws -> Envelope {
        let selection = ChartSelection(.daily, around: try #require(Day(iso: date)), filter: filter)
        return try await ask(
            ServiceName.chartFetcher, ChartRequest.dailyKind, ChartRequest(selection, isRefresh: isRefresh),
            as: requestClass)
    }

    func poster(_ title: String) async throws -> Envelope {
        try await ask(
            ServiceName.posterResolver, PosterRequest.kind,
            PosterRequest(code: nil, title: title, year: nil, isRefresh: false))
    }

    func image(of poster: Poster, title: String = "경관의 <피> & \"눈물\"", isRefresh: Bool = false) async throws -> Envelope
    {
        try await ask(
            ServiceName.posterResolver, PosterImageRequest.kind,
            PosterImageRequest(title: title, poster: poster, isRefresh: isRefresh))
    }

    func stats(_ service: String) async throws -> ServiceStats {
        let request = BusRequest(service: service, kind: ServiceRequest.statsKind, trace: .root())
        let envelope = try await bus.request(request, deadline: .now + .seconds(20)).envelope
        return try JSONBytes.decode(ServiceStats.self, from: envelope.payload)
    }

    @discardableResult
    func put(
        _ value: String, under key: String, ageMilliseconds: AgeMilliseconds? = nil, attributes: [String: String] = [:]
    ) async throws -> CachePutReply {
        let put = CachePutRequest(
            key: key, lease: nil, freshFor: 60, attributes: attributes, holder: "test/1",
            ageMilliseconds: ageMilliseconds)
        let request = BusRequest(
            service: ServiceName.cacheStore, kind: CachePutRequest.kind, trace: .root(),
            payload: try JSONBytes.encode(put), attachments: [Array(value.utf8)])
        let envelope = try await bus.request(request, deadline: .now + .seconds(20)).envelope
        return try JSONBytes.decode(CachePutReply.self, from: envelope.payload)
    }

    func peek(_ key: String) async throws -> CachedEntry {
        let envelope = try await ask(ServiceName.cacheStore, CachePeekRequest.kind, CachePeekRequest(keys: [key]))
        return try #require(try JSONBytes.decode(CachePeekReply.self, from: envelope.payload).entries.first)
    }

    /// Calls of the demo upstream whose path contains the text.
    func calls(_ path: String) async throws -> Int {
        let bytes = try await bytes("\(upstream)/_calls")
        return try JSONBytes.decode([String: Int].self, from: bytes).filter { $0.key.contains(path) }.values.reduce(
            0, +)
    }

    /// The direct answer of the upstream, without the services.
    func bytes(_ url: String) async throws -> [UInt8] {
        try await client.get(url: url).get().body.map { Array(buffer: $0) } ?? []
    }

    /// Makes the upstream answer with a fault from now on; "none" ends it.
    ///
    /// - Parameter path: limits the fault to paths that contain this text.
    func setUpstreamFault(_ name: String, path: String? = nil, isAdded: Bool = false) async throws {
        let scope = (path.map { "&path=\($0)" } ?? "") + (isAdded ? "&add=1" : "")
        let response = try await client.post(url: "\(upstream)/_fault?name=\(name)\(scope)").get()
        #expect(response.status == .ok)
    }

    func ask(
        _ service: String, _ kind: String, _ payload: some Encodable, attachments: [[UInt8]] = [],
        as requestClass: RequestClass = .interactive
    ) async throws -> Envelope {
        let request = BusRequest(
            service: service, kind: kind, trace: .root(requestClass), payload: try JSONBytes.encode(payload),
            attachments: attachments)
        return try await bus.request(request, deadline: .now + .seconds(20)).envelope
    }
}
