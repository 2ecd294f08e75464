/// How long a tap watches, and from when on.
public struct TapRequest: Sendable {
    /// Which past events it begins with.
    public enum Past: Sendable, Equatable {
        case none
        /// As far as the broker keeps them.
        case all
        /// The last so many of what is shown.
        case last(Int)
        /// Those from a moment on, in microseconds since 1970.
        case since(Int64)
    }

    public var past = Past.none
    /// Goes on with live events after the past ones.
    public var isFollowing = true
    /// Ends after so many lines.
    public var count: Int?
    /// Ends after so long.
    public var duration: Duration?
    /// Ends when nothing was shown for so long.
    public var idle: Duration?

    public init() {}
}
