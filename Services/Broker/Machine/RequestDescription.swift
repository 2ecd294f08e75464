internal import Majordomo
public import MessageBus

/// The kind and payload of a request's body, by which the broker recognises equal requests.
public struct RequestDescription: Sendable, Equatable {
    /// The kind of the request, for the events.
    public let kind: String
    /// The frames that are equal in equal requests.
    public let payload: ArraySlice<Frame>

    public init(kind: String, payload: ArraySlice<Frame>) {
        self.kind = kind
        self.payload = payload
    }
}
