import AsyncHTTPClient
import DemoUpstreamCore
import Foundation
import NIOCore
import NIOHTTP1

/// Calls a demo upstream over a real connection, as the fetchers do.
struct UpstreamClient {
    struct Reply {
        let status: Int
        let contentType: String
        let origin: String
        let body: [UInt8]

        var text: String { String(decoding: body, as: UTF8.self) }

        func decoded<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
            try JSONDecoder().decode(type, from: Data(body))
        }
    }

    static let kobisKey = "0123456789abcdef0123456789ABCDEF"
    static let kakaoKey = "demokakaokey0123"

    let base: String

    static func withUpstream<Result: Sendable>(
        configuration: DemoUpstreamConfiguration = .init(), _ body: (UpstreamClient) async throws -> Result
    ) async throws -> Result {
        try await DemoUpstream.withServer(configuration: configuration) { base in
            try await body(UpstreamClient(base: base))
        }
    }

    func chart(_ date: String?, key: String? = kobisKey, _ more: [String: String] = [:]) async throws -> Reply {
        let query = ["key": key, "targetDt": date].compactMapValues { $0 }.merging(more) { $1 }
        return try await get("/kobisopenapi/webservice/rest/boxoffice/searchDailyBoxOfficeList.json", query)
    }

    /// - Parameter week: `weekGb`.
    func weekChart(_ date: String, _ week: String?) async throws -> Reply {
        let query = ["key": Self.kobisKey, "targetDt": date, "weekGb": week].compactMapValues { $0 }
        return try await get("/kobisopenapi/webservice/rest/boxoffice/searchWeeklyBoxOfficeList.json", query)
    }

    func detail(_ code: String?, key: String? = kobisKey) async throws -> Reply {
        let query = ["key": key, "movieCd": code].compactMapValues { $0 }
        return try await get("/kobisopenapi/webservice/rest/movie/searchMovieInfo.json", query)
    }

    func films(_ criteria: [String: String], key: String? = kobisKey) async throws -> Reply {
        let query = ["key": key].compactMapValues { $0 }.merging(criteria) { $1 }
        return try await get("/kobisopenapi/webservice/rest/movie/searchMovieList.json", query)
    }

    func images(_ query: String?, key: String? = kakaoKey, _ more: [String: String] = [:]) async throws -> Reply {
        let authorization = key.map { ["Authorization": "KakaoAK \($0)"] } ?? [:]
        let query = ["query": query].compactMapValues { $0 }.merging(more) { $1 }
        return try await get("/v2/search/image", query, headers: authorization)
    }

    func get(_ path: String, _ query: [String: String] = [:], headers: [String: String] = [:]) async throws -> Reply {
        try await send(.GET, path, query, headers)
    }

    @discardableResult
    func post(_ path: String, _ query: [String: String] = [:]) async throws -> Reply {
        try await send(.POST, path, query, [:])
    }

    private func send(
        _ method: HTTPMethod, _ path: String, _ query: [String: String], _ headers: [String: String]
    ) async throws -> Reply {
        let pairs = query.map { "\($0.key)=\(encoded($0.value))" }
        let url = path.hasPrefix("http://") ? path : base + path
        var request = HTTPClientRequest(url: pairs.isEmpty ? url : "\(url)?\(pairs.joined(separator: "&"))")
        request.method = method
        for (name, value) in headers { request.headers.add(name: name, value: value) }
        let response = try await HTTPClient.shared.execute(request, timeout: .seconds(30))
        let body = try await response.body.collect(upTo: 8 << 20)
        return Reply(
            status: Int(response.status.code), contentType: response.headers.first(name: "content-type") ?? "",
            origin: response.headers.first(name: "x-demo-data") ?? "", body: Array(body.readableBytesView))
    }

    private func encoded(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? text
    }
}
