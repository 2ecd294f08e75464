import Contracts
import Envelope
import MessageBus
import ServiceKit

/// Answers the requests about pins.
struct PinHandler: Sendable {
    let pins: PinStore

    func answer(_ request: IncomingRequest) async throws -> ServiceAnswer {
        let payload = request.envelope.payload
        do {
            guard request.envelope.header.kind == CachePinRequest.kind else {
                let unpin = try JSONBytes.decode(CacheUnpinRequest.self, from: payload)
                return try .json(CacheUnpinReply(wasPinned: try await pins.unpin(unpin.key)))
            }
            let pin = try JSONBytes.decode(CachePinRequest.self, from: payload)
            guard let value = request.envelope.attachments.first else {
                throw Failure.malformedEnvelope("a pin without a value")
            }
            try await pins.pin(value, under: pin.key, from: pin.source, by: request.envelope.header.sender)
            return ServiceAnswer()
        } catch let error as StorageError {
            throw Failure.diskRefused(error)
        }
    }
}
