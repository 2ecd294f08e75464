import Contracts
import Domain
import Envelope
import HTTPTypes

extension HTTPResponse.Status {
    /// The status of a page that cannot do without the failed part.
    init(_ code: FailureCode) {
        self =
            switch code {
            case .notFound, .empty, .noHits, .notStored, .notPublished, .noImage: .notFound
            case .timeout, .upstreamTimeout: .gatewayTimeout
            case .unreadable, .upstreamMalformed, .upstreamFault, .requestRefused, .malformed: .badGateway
            case .internal, .storage: .internalServerError
            default: .serviceUnavailable
            }
    }

    /// The status of an address without a page.
    init(_ error: RouteError) {
        switch error {
        case .parameter: self = .badRequest
        case .unknown: self = .notFound
        case .day(let error):
            if case .notADay = error { self = .badRequest } else { self = .notFound }
        }
    }
}
