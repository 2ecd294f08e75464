/// A growing buffer of bytes.
///
/// An array checks for shared storage with every byte; this buffer has one owner and is copied once, at the end.
struct ByteAppender: ~Copyable {
    private var room: UnsafeMutableBufferPointer<UInt8>
    private var count = 0

    init(capacity: Int) {
        room = .allocate(capacity: max(capacity, 16))
    }

    deinit {
        room.deallocate()
    }

    /// A copy of all bytes.
    var bytes: [UInt8] { Array(UnsafeMutableBufferPointer(rebasing: room[..<count])) }

    mutating func append(_ byte: UInt8) {
        if count == room.count { grow(by: 1) }
        room[count] = byte
        count += 1
    }

    mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
        if room.count - count < bytes.count { grow(by: bytes.count) }
        _ = UnsafeMutableBufferPointer(rebasing: room[count...]).update(fromContentsOf: bytes)
        count += bytes.count
    }

    mutating func append(_ bytes: [UInt8]) {
        bytes.withUnsafeBufferPointer { append($0) }
    }

    mutating func append(ascii text: StaticString) {
        append(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// Appends decimal digits.
    mutating func append(_ number: Int64) {
        if number < 0 { append(UInt8(ascii: "-")) }
        // From the first digit on, so that no digits need to be reversed.
        var unit: UInt64 = 1
        while number.magnitude / unit >= 10 { unit *= 10 }
        while unit > 0 {
            append(0x30 + UInt8(number.magnitude / unit % 10))
            unit /= 10
        }
    }

    /// Appends 16 hexadecimal digits.
    mutating func append(hexadecimal number: UInt64) {
        if room.count - count < 16 { grow(by: 16) }
        number.writeHexadecimal(to: room, at: count)
        count += 16
    }

    private mutating func grow(by size: Int) {
        let larger = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: max(2 * room.count, count + size))
        _ = larger.update(fromContentsOf: UnsafeMutableBufferPointer(rebasing: room[..<count]))
        room.deallocate()
        room = larger
    }
}
