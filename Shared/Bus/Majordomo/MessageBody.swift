public import MessageBus

/// The body of a request or a reply: our control frame, and the frames after it.
///
/// The frames are a part of the received message, not a copy.
public struct MessageBody: Sendable, Equatable, ExpressibleByArrayLiteral {
    /// Nil in a body of plain Majordomo, and in one whose control frame cannot be read.
    public var control: ControlFrame?
    /// Without a control frame, all frames of the body.
    public var content: ArraySlice<Frame>

    public init(control: ControlFrame?, content: ArraySlice<Frame>) {
        self.control = control
        self.content = content
    }

    /// Reads the frames of a body.
    public init(_ frames: ArraySlice<Frame>) {
        if case .control(let control) = ControlFrame.read(frames.first) {
            self.init(control: control, content: frames.dropFirst())
        } else {
            self.init(control: nil, content: frames)
        }
    }

    public init(_ frames: [Frame]) { self.init(frames[...]) }

    public init(arrayLiteral frames: Frame...) { self.init(frames) }

    /// It begins with our magic, but its control frame has another version or size.
    package var isMalformed: Bool { control == nil && ControlFrame.read(content.first) == .malformed }

    /// The frames on the wire.
    public var frames: [Frame] { (control.map { [$0.encoded()] } ?? []) + content }

    var frameCount: Int { content.count + (control == nil ? 0 : 1) }

    func forEachFrame(_ body: (UnsafeRawBufferPointer) -> Void) {
        control?.withBytes(body)
        for frame in content { frame.withUnsafeBytes(body) }
    }
}
