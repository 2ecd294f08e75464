/// Start and end of the observation of a tap.
public struct TapRequest: Sendable {
    /// The past events that it begins with.
    public enum Past: Sendable, Equatable {
        case none
        /// All that the broker has buffered.
        case all
        /// The last items of the view.
        case last(Int)
        /// Events since a moment, in microseconds since 1970.
        case since(Int64)
    }

    public var past = Past.none
    /// Continues with live events after the past ones.
    public var isFollowing = true
    /// Ends after this number of lines.
    public var count: Int?
    /// Ends after this time.
    public var duration: Duration?
    /// Ends when no item was printed for this time.
    public var idle: Duration?

    public init() {}
}
