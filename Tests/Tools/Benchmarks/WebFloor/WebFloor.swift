import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore

/// Answers each request with the same fields and bytes: what a page costs in Hummingbird alone.
///
/// Usage: web-floor FILE < FIELDS, with lines such as "Content-Type: text/html". It prints its base URL when it accepts
/// connections.
@main enum WebFloor {
    static func main() async throws {
        guard CommandLine.arguments.count == 2 else {
            FileHandle.standardError.write(Data("Usage: web-floor FILE < FIELDS\n".utf8))
            exit(64)
        }
        let bytes = ByteBuffer(bytes: try Data(contentsOf: URL(filePath: CommandLine.arguments[1])))
        var fields = HTTPFields()
        while let line = readLine() {
            let parts = line.split(separator: ":", maxSplits: 1)
            if parts.count == 2, let name = HTTPField.Name(String(parts[0])) {
                fields[name] = parts[1].trimmingCharacters(in: .whitespaces)
            }
        }
        var logger = Logger(label: "web-floor")
        logger.logLevel = .warning
        let application = Application(
            responder: CallbackResponder { [fields] (_: Request, _: BasicRequestContext) in
                Response(status: .ok, headers: fields, body: ResponseBody(byteBuffer: bytes))
            },
            configuration: .init(address: .hostname("127.0.0.1", port: 0), serverName: "boxoffice"),
            onServerRunning: { channel in
                let url = "http://127.0.0.1:\(channel.localAddress?.port ?? 0)\n"
                FileHandle.standardOutput.write(Data(url.utf8))
            },
            logger: logger)
        try await application.runService()
    }
}
