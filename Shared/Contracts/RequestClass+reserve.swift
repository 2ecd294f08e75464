public import BoxOffice
public import Envelope

extension RequestClass {
    /// The calls of a day that this class leaves to the classes above it: 0, 200 or 500 of 3,000 calls and more, the
    /// same share of fewer.
    public func reserve(of limit: CallLimit) -> Int {
        switch self {
        case .interactive: 0
        case .web: min(200, limit.value / 15)
        default: min(500, limit.value / 6)
        }
    }
}
