import HTTPTypes
import Hummingbird
import NIOCore

extension Response {
    /// The response of an answer, cut short on the wire when the answer says so.
    init(_ answer: DemoAnswer) {
        var headers: HTTPFields = [.contentType: answer.contentType]
        if let name = HTTPField.Name("x-demo-data") { headers[name] = answer.origin.rawValue }
        if let location = answer.location { headers[.location] = location }
        let body: ResponseBody
        if let cut = answer.cutAfter {
            let part = ByteBuffer(bytes: answer.body.prefix(cut))
            body = ResponseBody(contentLength: answer.body.count) { writer in
                try await writer.write(part)
                // An error after the head is what makes the server close the connection.
                throw ConnectionCut()
            }
        } else {
            body = ResponseBody(byteBuffer: ByteBuffer(bytes: answer.body))
        }
        self.init(status: .init(code: answer.status), headers: headers, body: body)
    }
}

private struct ConnectionCut: Error {}
