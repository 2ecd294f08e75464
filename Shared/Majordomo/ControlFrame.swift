/// The first frame of our bodies: all that the broker reads of a request, and all that it writes into a reply.
///
/// 32 bytes, numbers big-endian: magic "KBOX", version, flags, attempts, zero, request id (16), remaining milliseconds
/// (4), queued microseconds (4). A body without the magic is plain Majordomo.
public struct ControlFrame: Sendable, Equatable {
    public static let magic = Frame(text: "KBOX")
    public static let version: UInt8 = 1
    public static let size = 32

    public struct Flags: OptionSet, Sendable {
        public let rawValue: UInt8
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// The request may be handed to another worker when its worker is lost.
        public static let idempotent = Flags(rawValue: 1)
        /// The broker answers itself: the next frame is a `Refusal` code, and nothing follows it.
        public static let refused = Flags(rawValue: 2)
    }

    public var id: RequestID
    public var flags: Flags
    /// Time left for the request, as of when this frame was sent.
    public var remainingMilliseconds: UInt32
    /// How often the broker has handed the request out, this time included.
    public var attempts: UInt8
    /// How long the request has waited in the broker, over all attempts.
    public var queuedMicroseconds: UInt32

    public init(
        id: RequestID, flags: Flags = [], remainingMilliseconds: UInt32 = 0, attempts: UInt8 = 0,
        queuedMicroseconds: UInt32 = 0
    ) {
        self.id = id
        self.flags = flags
        self.remainingMilliseconds = remainingMilliseconds
        self.attempts = attempts
        self.queuedMicroseconds = queuedMicroseconds
    }

    public func encoded() -> Frame {
        Frame(unsafeUninitializedCapacity: Self.size) { buffer, count in
            let bytes = UnsafeMutableRawBufferPointer(buffer)
            bytes.copyBytes(from: Self.magic)
            bytes[4] = Self.version
            bytes[5] = flags.rawValue
            bytes[6] = attempts
            bytes[7] = 0
            bytes.storeBytes(of: id.query.bigEndian, toByteOffset: 8, as: UInt64.self)
            bytes.storeBytes(of: id.call.bigEndian, toByteOffset: 16, as: UInt64.self)
            bytes.storeBytes(of: remainingMilliseconds.bigEndian, toByteOffset: 24, as: UInt32.self)
            bytes.storeBytes(of: queuedMicroseconds.bigEndian, toByteOffset: 28, as: UInt32.self)
            count = Self.size
        }
    }

    /// The id in a control frame of whatever version: all of them keep magic, version and id in their places, so that
    /// a message that cannot be read can at least be refused to whom it belongs.
    static func id(in frame: Frame?) -> RequestID? {
        guard let frame, frame.starts(with: magic), frame.count >= 24 else { return nil }
        return RequestID(frame, at: 8)
    }

    /// What the first frame of a body turned out to be.
    public enum Reading: Sendable, Equatable {
        case control(ControlFrame)
        /// No magic: a body of plain Majordomo.
        case plain
        /// Our magic, but another version or size.
        case malformed
    }

    public static func read(_ frame: Frame?) -> Reading {
        guard let frame, frame.starts(with: magic) else { return .plain }
        guard frame.count == size, frame[4] == version, frame[7] == 0 else { return .malformed }
        return .control(
            ControlFrame(
                id: RequestID(frame, at: 8), flags: Flags(rawValue: frame[5]),
                remainingMilliseconds: frame.bigEndian(UInt32.self, at: 24), attempts: frame[6],
                queuedMicroseconds: frame.bigEndian(UInt32.self, at: 28)))
    }
}
