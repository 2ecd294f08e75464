/// What the broker knows of a request's body, so that the same request asked again is seen to be the same.
public struct RequestDescription: Sendable, Equatable {
    /// What is asked, for the events.
    public let kind: String
    /// The frames that are equal whenever the same is asked.
    public let payload: ArraySlice<Frame>

    public init(kind: String, payload: ArraySlice<Frame>) {
        self.kind = kind
        self.payload = payload
    }
}
