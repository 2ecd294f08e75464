/// One message of a socket monitor, as libzmq writes it.
struct MonitorMessage: Sendable, Equatable {
    let number: Int32
    /// A file descriptor, an errno or a status, depending on the event.
    let value: Int32
    /// For a bound socket its own endpoint, not the peer's.
    let endpoint: String

    init?(_ message: Message) {
        // First frame: a native 16-bit event number and a 32-bit value; second frame: the endpoint.
        guard message.count == 2, message[0].count == 6 else { return nil }
        number = message[0].withUnsafeBytes { Int32($0.loadUnaligned(as: UInt16.self)) }
        value = message[0].withUnsafeBytes { $0.loadUnaligned(fromByteOffset: 2, as: Int32.self) }
        endpoint = String(decoding: message[1], as: UTF8.self)
    }
}
