internal import CZeroMQ

/// The owned libzmq socket and the one message it receives into.
///
/// The message is on the heap: short payloads are stored inside `zmq_msg_t`, and Swift may move a struct. It is closed
/// as soon as its bytes are copied, since an open small message keeps its whole receive buffer in memory.
struct SocketHandle: ~Copyable {
    let pointer: UnsafeMutableRawPointer
    let readiness: SocketReadiness
    private let part: UnsafeMutablePointer<zmq_msg_t>
    private var recent = RecentFrames()
    /// Some of its peers are authenticated, so messages may carry a user id.
    var isAuthenticating: Bool

    init(_ kind: SocketKind, context: UnsafeMutableRawPointer, options: SocketOptions) throws(ZeroMQError) {
        guard let pointer = zmq_socket(context, kind.rawValue) else { throw .last("make a socket") }
        do {
            try options.apply(to: pointer)
            readiness = try SocketReadiness(pointer)
        } catch {
            zmq_close(pointer)
            throw error
        }
        self.pointer = pointer
        isAuthenticating = options.curve?.isServer == true
        part = .allocate(capacity: 1)
    }

    deinit {
        part.deallocate()
        zmq_close(pointer)
    }

    mutating func receive() throws(ZeroMQError) -> Message? {
        guard let first = try receivePart() else { return nil }
        return try message(beginningWith: first)
    }

    mutating func receiveWithOrigin() throws(ZeroMQError) -> (frames: Message, origin: MessageOrigin)? {
        guard let (first, origin) = try receivePartWithOrigin() else { return nil }
        return (try message(beginningWith: first), origin)
    }

    private mutating func message(beginningWith first: Part) throws(ZeroMQError) -> Message {
        var message: Message = []
        // Enough for Majordomo's messages; more frames cost another allocation.
        message.reserveCapacity(8)
        message.append(first.bytes)
        if first.hasMore { try receiveRest(into: &message) }
        return message
    }

    /// Receives a message with its first part separate: for a ROUTER this is the peer's address.
    mutating func receiveAddressed() throws(ZeroMQError) -> AddressedMessage? {
        guard let address = try receivePart() else { return nil }
        var frames: Message = []
        frames.reserveCapacity(8)
        var origin = MessageOrigin(descriptor: -1, userID: nil)
        if address.hasMore {
            // Not of the address: libzmq leaves the metadata out of an address that it has read ahead.
            let (first, connection) = try receiveNextPart()
            frames.append(first.bytes)
            origin = connection
            if first.hasMore { try receiveRest(into: &frames) }
        }
        return AddressedMessage(address: address.bytes, frames: frames, origin: origin)
    }

    /// The parts of one message arrive together; only the first part can be missing.
    private mutating func receiveNextPart() throws(ZeroMQError) -> (Part, MessageOrigin) {
        while true { if let part = try receivePartWithOrigin() { return part } }
    }

    private mutating func receiveRest(into message: inout Message) throws(ZeroMQError) {
        while true {
            // The parts of one message arrive together; only the first part can be missing.
            guard let part = try receivePart() else { continue }
            message.append(part.bytes)
            if !part.hasMore { return }
        }
    }

    private typealias Part = (bytes: [UInt8], hasMore: Bool)

    private mutating func receivePart() throws(ZeroMQError) -> Part? {
        zmq_msg_init(part)
        defer { zmq_msg_close(part) }
        return try take() ? copyPart() : nil
    }

    /// Receives a part with the metadata of its connection.
    private mutating func receivePartWithOrigin() throws(ZeroMQError) -> (Part, MessageOrigin)? {
        zmq_msg_init(part)
        defer { zmq_msg_close(part) }
        guard try take() else { return nil }
        let userID = isAuthenticating ? zmq_msg_gets(part, "User-Id").map { String(cString: $0) } : nil
        return (copyPart(), MessageOrigin(descriptor: zmq_msg_get(part, ZMQ_SRCFD), userID: userID))
    }

    /// Receives into the part; false when no message is available.
    private func take() throws(ZeroMQError) -> Bool {
        while zmq_msg_recv(part, pointer, ZMQ_DONTWAIT) < 0 {
            switch zmq_errno() {
            case EINTR: continue
            case EAGAIN:
                readiness.recordEmptyRead()
                return false
            default: throw .last("receive")
            }
        }
        readiness.invalidate()
        return true
    }

    private mutating func copyPart() -> Part {
        let bytes = recent.frame(UnsafeRawBufferPointer(start: zmq_msg_data(part), count: zmq_msg_size(part)))
        return (bytes, zmq_msg_more(part) != 0)
    }

    /// - Parameters:
    ///   - count: the number of frames after the address.
    ///   - address: the first frame; a ROUTER uses it as the receiver's address.
    ///   - write: passes on all frames.
    mutating func send(
        _ count: Int, to address: [UInt8]? = nil, _ write: (inout FrameSender) -> Void
    ) throws(ZeroMQError) -> SendOutcome {
        readiness.invalidate()
        var sender = FrameSender(pointer, count: count + (address == nil ? 0 : 1))
        if let address { address.withUnsafeBytes { sender.append($0) } }
        write(&sender)
        return try sender.outcome.get()
    }
}

/// Sends the frames of one message, one after another.
public struct FrameSender: ~Copyable {
    private let pointer: UnsafeMutableRawPointer
    private var rest: Int
    fileprivate private(set) var outcome: Result<SendOutcome, ZeroMQError> = .success(.sent)

    fileprivate init(_ pointer: UnsafeMutableRawPointer, count: Int) {
        self.pointer = pointer
        rest = count
    }

    public mutating func append(_ bytes: UnsafeRawBufferPointer) {
        // libzmq decides room and route at the first part; it accepts the rest of a message that has begun.
        guard case .success(.sent) = outcome else { return }
        rest -= 1
        let flags = ZMQ_DONTWAIT | (rest == 0 ? 0 : ZMQ_SNDMORE)
        while zmq_send(pointer, bytes.baseAddress, bytes.count, flags) < 0 {
            switch zmq_errno() {
            case EINTR: continue
            case EAGAIN: outcome = .success(.wouldBlock)
            case EHOSTUNREACH: outcome = .success(.unroutable)
            default: outcome = .failure(.last("send"))
            }
            return
        }
    }
}

/// The most recent short frames. Most messages repeat addresses, protocol headers, commands and service names, and a
/// repeated frame is shared instead of allocated again.
struct RecentFrames {
    private static let longest = 16
    private static let slotCount = 64

    private var slots = [[UInt8]](repeating: [], count: slotCount)

    /// The bytes as an array, shared with an earlier equal frame if there is one.
    mutating func frame(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
        guard let first = bytes.first, let last = bytes.last else { return [] }
        guard bytes.count <= Self.longest else { return [UInt8](bytes) }
        // The headers of Majordomo differ in a byte in the middle.
        let middle = Int(bytes[bytes.count / 2])
        let slot = (bytes.count &* 37 &+ Int(first) &* 5 &+ middle &* 3 &+ Int(last)) & (Self.slotCount - 1)
        if slots[slot].elementsEqual(bytes) { return slots[slot] }
        slots[slot] = [UInt8](bytes)
        return slots[slot]
    }
}
