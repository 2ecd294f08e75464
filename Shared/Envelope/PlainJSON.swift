/// A type that is written and read without an encoder, because every message contains one or many of its values.
///
/// An encoder and a decoder cost 5 to 10 µs for each value, this code a few hundred nanoseconds.
public protocol PlainJSON: Codable {
    /// The bytes that an encoder with sorted keys and plain slashes would write.
    func json() -> [UInt8]

    /// Reads exactly such bytes; nil means that a decoder must read them, which also describes their faults.
    init?(plainJSON bytes: [UInt8])
}
