import BoxOffice
import Contracts
import Envelope

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

extension GatewayCommands {
    /// Finds the poster of a title and writes its image to a file, which it replaces as a whole or not at all.
    public func savePoster(title: String, to path: String) async throws -> Answer {
        let poster = try await query.poster(title: title)
        guard let value = poster.value else { return try presentation.poster(poster, title: title) }
        let image = try await query.image(of: JSONBytes.decode(Poster.self, from: value), title: title)
        guard image.value != nil else {
            guard let failure = image.failure else { throw Failure.malformedEnvelope("an image without a reason") }
            return presentation.failed(failure)
        }
        guard let bytes = image.attachment else { throw Failure.malformedEnvelope("an image without its bytes") }
        do {
            try Data(bytes).write(to: URL(fileURLWithPath: path), options: .atomic)
        } catch {
            throw Failure.notWritten(path, error)
        }
        return try presentation.saved(image, of: poster, title: title, path: path)
    }
}

extension Failure {
    fileprivate static func notWritten(_ path: String, _ error: any Error) -> Failure {
        // The system's own words: Foundation's are a dump of its fields.
        let cause = ((error as? CocoaError)?.underlying as? POSIXError)?.code.rawValue
        let reason = cause.map { String(cString: strerror($0)) } ?? "\(error)"
        return Failure(
            .storage,
            LocalizedText(
                ko: "\(path)에 저장하지 못했습니다: \(reason). 다른 곳을 고르세요.",
                en: "\(path) cannot be written: \(reason). Choose another place."),
            isRetryable: false)
    }
}
