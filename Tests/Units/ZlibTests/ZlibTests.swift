import CZlib
import Testing
import Zlib

@Suite struct ZlibTests {
    private static let texts = [
        [], Array("a".utf8), Array(String(repeating: "박스오피스 ", count: 10_000).utf8),
        (0..<70_000).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 13) },
    ]

    @Test(arguments: texts)
    func `zlib reads back both formats`(bytes: [UInt8]) throws {
        // 32 more window bits: zlib recognises the format by its header.
        #expect(try Self.inflated(Zlib.gzip(bytes), count: bytes.count) == bytes)
        #expect(try Self.inflated(Zlib.deflate(bytes), count: bytes.count) == bytes)
    }

    @Test func `gzip has no time, so that the same bytes have the same result`() {
        let bytes = Zlib.gzip(Array("text".utf8))
        #expect(bytes.prefix(3) == [0x1F, 0x8B, 8] && bytes[4..<8].allSatisfy { $0 == 0 })
    }

    @Test func `the checksum is that of RFC 1952`() {
        #expect(Zlib.crc32(Array("123456789".utf8)) == 0xCBF4_3926)
    }

    private static func inflated(_ bytes: [UInt8], count: Int) throws -> [UInt8] {
        var stream = z_stream()
        try #require(
            inflateInit2_(&stream, MAX_WBITS + 32, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK)
        defer { inflateEnd(&stream) }
        var input = bytes
        var output = [UInt8](repeating: 0, count: count + 1)
        let room = output.count
        let status = input.withUnsafeMutableBufferPointer { input in
            output.withUnsafeMutableBufferPointer { output in
                stream.next_in = input.baseAddress
                stream.avail_in = UInt32(input.count)
                stream.next_out = output.baseAddress
                stream.avail_out = UInt32(output.count)
                return inflate(&stream, Z_FINISH)
            }
        }
        try #require(status == Z_STREAM_END)
        return Array(output.prefix(room - Int(stream.avail_out)))
    }
}
