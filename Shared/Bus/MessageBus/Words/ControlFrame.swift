/// The first frame of our bodies: the only part that the broker reads in a request and writes in a reply.
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

        /// The request may be redelivered to another worker when its worker is lost.
        public static let idempotent = Flags(rawValue: 1)
        /// The broker refuses the request: the next and last frame is a `Refusal` code.
        public static let refused = Flags(rawValue: 2)
    }

    public var id: RequestID
    public var flags: Flags
    /// Two bits about the caller, which our broker writes; their meaning is that of the services. 0 says nothing.
    public var role: UInt8 {
        get { flags.rawValue >> 4 & 3 }
        set { flags = Flags(rawValue: flags.rawValue & ~0x30 | (newValue & 3) << 4) }
    }
    /// The time left for the request when this frame is sent.
    public var remainingMilliseconds: UInt32
    /// How often the broker has dispatched the request, including this time.
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
        var frame: Frame = []
        withBytes { frame = Frame($0) }
        return frame
    }

    /// Passes on the encoded bytes, which are on the stack.
    package func withBytes(_ body: (UnsafeRawBufferPointer) -> Void) {
        withUnsafeTemporaryAllocation(byteCount: Self.size, alignment: 8) { bytes in
            bytes.copyBytes(from: Self.magic)
            bytes[4] = Self.version
            bytes[5] = flags.rawValue
            bytes[6] = attempts
            bytes[7] = 0
            bytes.storeBytes(of: id.query.bigEndian, toByteOffset: 8, as: UInt64.self)
            bytes.storeBytes(of: id.call.bigEndian, toByteOffset: 16, as: UInt64.self)
            bytes.storeBytes(of: remainingMilliseconds.bigEndian, toByteOffset: 24, as: UInt32.self)
            bytes.storeBytes(of: queuedMicroseconds.bigEndian, toByteOffset: 28, as: UInt32.self)
            body(UnsafeRawBufferPointer(bytes))
        }
    }

    /// The id in a control frame of any version. Magic, version and id have the same position in all versions, so that
    /// an unreadable request can be refused by its id.
    public static func id(in frame: Frame?) -> RequestID? {
        guard let frame, frame.starts(with: magic), frame.count >= 24 else { return nil }
        return RequestID(frame, at: 8)
    }

    /// The result of reading the first frame of a body.
    public enum Reading: Sendable, Equatable {
        case control(ControlFrame)
        /// Without the magic: a body of plain Majordomo.
        case plain
        /// With the magic, but of another version or size.
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
