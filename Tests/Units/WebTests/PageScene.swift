import Contracts
import Domain
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import MessageBus
import NIOCore
import ProcessKit
import TestSupport

@testable import WebCore

/// The pages on a real stack: broker, cache-store, fetchers and demo-upstream.
enum PageScene {
    /// 2026-01-01 09:00 in Seoul.
    private static let now = 1_767_225_600.0

    struct Page {
        let status: Int
        let body: String
        let fields: HTTPFields

        func field(_ name: String) -> String? { HTTPField.Name(name).flatMap { fields[$0] } }
    }

    typealias Get = @Sendable (String, HTTPRequest.Method, HTTPFields) async throws -> Page

    /// - Parameters:
    ///   - settings: of the web server.
    ///   - kobisLimit: calls a day.
    static func run(
        _ settings: [String: String] = [:], kobisLimit: CallLimit = 3_000, hasArchive: Bool = true,
        _ body: @escaping @Sendable (StackScene, Get) async throws -> Void
    ) async throws {
        try await StackScene.run(hasArchive: hasArchive, from: now, kobisLimit: kobisLimit) { stack in
            let server = try WebServer(
                bus: stack.bus, WebConfiguration(Environment(settings)), clock: stack.ahead.clock,
                logger: Logger(label: "test"))
            try await server.makeApplication().test(.router) { client in
                try await body(stack) { target, method, fields in
                    try await client.execute(uri: target, method: method, headers: fields) { response in
                        Page(
                            status: response.status.code, body: String(buffer: response.body),
                            fields: response.headers)
                    }
                }
            }
        }
    }
}
