internal import CZlib

/// Compression by zlib, in one call with all bytes in memory.
public enum Zlib {
    /// What compression may cost.
    public enum Effort: Int32, Sendable {
        /// For bytes that are sent once.
        case fast = 1
        case usual = 6
    }

    /// The bytes in the zlib format (RFC 1950).
    public static func deflate(_ bytes: [UInt8]) -> [UInt8] {
        compress(bytes, windowBits: MAX_WBITS, .usual)
    }

    /// The bytes as a gzip member (RFC 1952) without a time or a name: the same bytes have the same result.
    public static func gzip(_ bytes: [UInt8], _ effort: Effort = .usual) -> [UInt8] {
        // zlib writes a gzip header for window bits above 15.
        compress(bytes, windowBits: MAX_WBITS + 16, effort)
    }

    /// The checksum of RFC 1952, which PNG uses, too.
    public static func crc32(_ bytes: [UInt8]) -> UInt32 {
        UInt32(truncatingIfNeeded: CZlib.crc32(0, bytes, UInt32(bytes.count)))
    }

    private static func compress(_ bytes: [UInt8], windowBits: Int32, _ effort: Effort) -> [UInt8] {
        var stream = z_stream()
        let begun = deflateInit2_(
            &stream, effort.rawValue, Z_DEFLATED, windowBits, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
            Int32(MemoryLayout<z_stream>.size))
        precondition(begun == Z_OK, "zlib could not begin: status \(begun)")
        defer { deflateEnd(&stream) }
        let bound = Int(deflateBound(&stream, UInt(bytes.count)))
        return [UInt8](unsafeUninitializedCapacity: bound) { buffer, count in
            bytes.withUnsafeBufferPointer { input in
                // zlib does not change its input, but its declaration in C is older than `const`.
                stream.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
                stream.avail_in = UInt32(input.count)
                stream.next_out = buffer.baseAddress
                stream.avail_out = UInt32(bound)
                let status = CZlib.deflate(&stream, Z_FINISH)
                // The only failures are no memory and a buffer below the bound; both are fatal.
                precondition(status == Z_STREAM_END, "zlib could not deflate \(input.count) bytes: status \(status)")
            }
            count = bound - Int(stream.avail_out)
        }
    }
}
