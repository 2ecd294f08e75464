import BrokerMachine
import Majordomo
import MessageBus

/// The bytes of one run, read as numbers and frames; past their end everything is 0 or empty.
///
/// A frame is its length in one byte and its bytes; 255 means that the length follows in two bytes. `Tests/Tools/Fuzz/fuzz`
/// writes the corpus in the same format.
struct FuzzInput {
    private(set) var rest: ArraySlice<UInt8>

    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        rest = Array(bytes)[...]
    }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func byte() -> UInt8 {
        rest.popFirst() ?? 0
    }

    mutating func number(below bound: Int) -> Int {
        Int(byte()) % bound
    }

    mutating func frame() -> Frame {
        var count = Int(byte())
        if count == 255 { count = Int(byte()) << 8 | Int(byte()) }
        defer { rest = rest.dropFirst(count) }
        return Frame(rest.prefix(count))
    }

    /// The remaining bytes, as frames.
    mutating func frames() -> [Frame] {
        var frames: [Frame] = []
        while !isAtEnd { frames.append(frame()) }
        return frames
    }

    /// The remaining bytes.
    mutating func bytes() -> [UInt8] {
        defer { rest = [] }
        return Array(rest)
    }
}
