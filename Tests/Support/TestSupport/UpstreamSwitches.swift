import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The demo upstream's controls: faults, latency, and call counts.
public struct UpstreamSwitches: Sendable {
    public struct Refused: Error {
        let status: Int
        let text: String
    }

    public static let chartPath = "/kobisopenapi/webservice/rest/boxoffice/searchDailyBoxOfficeList.json"
    public static let detailPath = "/kobisopenapi/webservice/rest/movie/searchMovieInfo.json"
    public static let searchPath = "/kobisopenapi/webservice/rest/movie/searchMovieList.json"
    public static let imagePath = "/v2/search/image"

    /// "http://127.0.0.1:PORT"
    public let base: String

    public init(base: String) {
        self.base = base
    }

    /// Runs `body` while every call, or every call of a path that contains `path`, fails.
    public func withFault<Result: Sendable>(
        _ name: String, path: String? = nil, _ body: () async throws -> Result
    ) async throws -> Result {
        let scope = path.map { "&path=\($0)" } ?? ""
        return try await with("_fault?name=\(name)\(scope)", after: "_fault?name=none", body)
    }

    /// Runs `body` while every answer has that latency.
    public func withLatency<Result: Sendable>(milliseconds: Int, _ body: () async throws -> Result) async throws
        -> Result
    {
        try await with("_latency?ms=\(milliseconds)", after: "_latency?ms=0", body)
    }

    /// Runs `body` while all charts are those before their last corrections.
    public func withoutCorrections<Result: Sendable>(_ body: () async throws -> Result) async throws -> Result {
        try await with("_corrections?are=missing", after: "_corrections?are=made", body)
    }

    /// Calls per path since the start, without pictures.
    public func calls() async throws -> [String: Int] {
        let counts = try await JSONDecoder().decode([String: Int].self, from: send("GET", "_calls"))
        return counts.filter { !$0.key.hasPrefix("/posters/") && !$0.key.hasPrefix("/films/") }
    }

    /// Calls that `body` causes.
    public func calls(during body: () async throws -> Void) async throws -> [String: Int] {
        let before = try await calls()
        try await body()
        return try await calls().merging(before) { $0 - $1 }.filter { $0.value != 0 }
    }

    /// Waits until a path has one more call than in `before`.
    public func untilCalled(_ path: String, beyond before: [String: Int]) async throws {
        while try await calls()[path] ?? 0 <= before[path] ?? 0 {
            try Task.checkCancellation()
        }
    }

    private func with<Result: Sendable>(
        _ setting: String, after: String, _ body: () async throws -> Result
    ) async throws -> Result {
        _ = try await send("POST", setting)
        do {
            let result = try await body()
            _ = try await send("POST", after)
            return result
        } catch {
            _ = try? await send("POST", after)
            throw error
        }
    }

    private func send(_ method: String, _ path: String) async throws -> Data {
        guard let url = URL(string: "\(base)/\(path)") else { throw Refused(status: 0, text: path) }
        var request = URLRequest(url: url, timeoutInterval: 30)
        request.httpMethod = method
        let (data, response) = try await URLSession.shared.data(for: request)
        let status = (response as? HTTPURLResponse)?.statusCode ?? 0
        guard status == 200 else { throw Refused(status: status, text: String(decoding: data, as: UTF8.self)) }
        return data
    }
}
