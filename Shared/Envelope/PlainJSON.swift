/// What is written and read without an encoder, since it comes with every message or many times in one.
///
/// An encoder and a decoder cost 5 to 10 µs for each value that they are made for, this some hundred nanoseconds.
public protocol PlainJSON: Codable {
    /// The bytes that an encoder with sorted keys and plain slashes would write.
    func json() -> [UInt8]

    /// Reads exactly such bytes; nil leaves it to a decoder, which also knows what is wrong with them.
    init?(plainJSON bytes: [UInt8])
}
