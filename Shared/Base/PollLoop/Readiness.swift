/// What a poll loop knows of the readiness of a descriptor.
///
/// This class is for a descriptor of which `poll` reports the readiness itself. A subclass may have to check for it: a
/// wait relies on the descriptor only after a check that found nothing.
///
/// Safety: used on the thread of its loop only.
open class Readiness: @unchecked Sendable {
    public let descriptor: Int32
    /// Whether the descriptor itself signals room to send.
    public let signalsRoom: Bool
    /// Known not to be readable, apart from what the descriptor signals.
    public final var isReadSettled = true
    /// Known not to be writable, apart from what the descriptor signals.
    public final var isWriteSettled = true
    /// Neither the owner of the descriptor nor the descriptor may be used any more.
    public private(set) final var isClosed = false

    public init(descriptor: Int32, signalsRoom: Bool = true) {
        self.descriptor = descriptor
        self.signalsRoom = signalsRoom
    }

    /// The descriptor signals, so the last check is outdated.
    open func invalidate() {}

    /// Checks what the owner of the descriptor is ready for.
    open func refresh() {}

    public final func close() {
        isClosed = true
    }
}
