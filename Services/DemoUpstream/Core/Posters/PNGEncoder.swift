import Zlib

/// Writes an indexed picture as a PNG (ISO/IEC 15948): eight bits a pixel, a palette, no interlace.
enum PNGEncoder {
    static let signature: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]

    static func bytes(of image: IndexedImage) -> [UInt8] {
        let header = bigEndian(image.width) + bigEndian(image.height) + [8, 3, 0, 0, 0]
        return signature
            + chunk("IHDR", header)
            + chunk("PLTE", image.palette.flatMap { [$0.red, $0.green, $0.blue] })
            + chunk("IDAT", Zlib.deflate(scanlines(of: image)))
            + chunk("IEND", [])
    }

    private static func chunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
        let body = Array(type.utf8) + data
        return bigEndian(data.count) + body + bigEndian(Int(Zlib.crc32(body)))
    }

    /// Each row after a filter byte; 2 ("up") makes the flat areas of these pictures zeros.
    private static func scanlines(of image: IndexedImage) -> [UInt8] {
        let width = image.width
        return [UInt8](unsafeUninitializedCapacity: (width + 1) * image.height) { buffer, count in
            image.pixels.withUnsafeBufferPointer { pixels in
                for row in 0..<image.height {
                    buffer[count] = 2
                    for column in 0..<width {
                        let index = row * width + column
                        buffer[count + 1 + column] = pixels[index] &- (row > 0 ? pixels[index - width] : 0)
                    }
                    count += width + 1
                }
            }
        }
    }

    private static func bigEndian(_ number: Int) -> [UInt8] {
        let number = UInt32(truncatingIfNeeded: number)
        return [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }
}
