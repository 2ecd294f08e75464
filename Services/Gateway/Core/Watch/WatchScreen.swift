/// Where a watched chart is shown.
public struct WatchScreen: Sendable {
    /// Its width at this moment; nil where none matters.
    public let columns: @Sendable () -> Int?
    /// Whether anybody still reads.
    public let hasReader: @Sendable () -> Bool
    /// Shows an answer in the place of the one before; false once nobody reads any more.
    public let show: @Sendable (Answer) throws -> Bool

    public init(
        columns: @escaping @Sendable () -> Int?, hasReader: @escaping @Sendable () -> Bool,
        show: @escaping @Sendable (Answer) throws -> Bool
    ) {
        self.columns = columns
        self.hasReader = hasReader
        self.show = show
    }
}
