import CZlib

/// Parses the output of `PNGEncoder`: signature, chunk checksums, and the filtered rows.
struct ParsedPNG {
    struct Broken: Error {
        let what: String
    }

    private(set) var width = 0
    private(set) var height = 0
    private(set) var paletteBytes = 0
    private(set) var pixels: [UInt8] = []

    init(_ bytes: [UInt8]) throws {
        guard bytes.starts(with: [0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10]) else { throw Broken(what: "signature") }
        var rest = bytes.dropFirst(8)
        var types: [String] = []
        var compressed: [UInt8] = []
        while !rest.isEmpty {
            let length = Self.number(rest.prefix(4))
            let body = Array(rest.dropFirst(4).prefix(4 + length))
            let checksum = Self.number(rest.dropFirst(8 + length).prefix(4))
            guard Int(crc32(0, body, UInt32(body.count))) == checksum else { throw Broken(what: "checksum") }
            let data = body.dropFirst(4)
            types.append(String(decoding: body.prefix(4), as: UTF8.self))
            switch types.last {
            case "IHDR":
                (width, height) = (Self.number(data.prefix(4)), Self.number(data.dropFirst(4).prefix(4)))
                guard Array(data.dropFirst(8)) == [8, 3, 0, 0, 0] else { throw Broken(what: "kind of picture") }
            case "PLTE": paletteBytes = data.count
            case "IDAT": compressed += data
            default: break
            }
            rest = rest.dropFirst(12 + length)
        }
        guard types == ["IHDR", "PLTE", "IDAT", "IEND"] else { throw Broken(what: "chunks \(types)") }
        pixels = try Self.unfiltered(Self.inflated(compressed, to: (width + 1) * height), width: width)
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> Int {
        bytes.reduce(0) { $0 << 8 | Int($1) }
    }

    private static func inflated(_ bytes: [UInt8], to size: Int) throws -> [UInt8] {
        var output = [UInt8](repeating: 0, count: size)
        var length = UInt(size)
        let status = uncompress(&output, &length, bytes, UInt(bytes.count))
        guard status == Z_OK, Int(length) == size else { throw Broken(what: "deflate stream") }
        return output
    }

    private static func unfiltered(_ rows: [UInt8], width: Int) throws -> [UInt8] {
        let height = rows.count / (width + 1)
        for row in 0..<height where rows[row * (width + 1)] != 2 { throw Broken(what: "filter") }
        // Loops over memory: a closure for each of a million pixels takes seconds in a debug build.
        return [UInt8](unsafeUninitializedCapacity: width * height) { pixels, count in
            rows.withUnsafeBufferPointer { rows in
                var (from, to) = (0, 0)
                while to < width * height {
                    if to % width == 0 { from += 1 }
                    pixels[to] = to < width ? rows[from] : rows[from] &+ pixels[to - width]
                    from += 1
                    to += 1
                }
            }
            count = width * height
        }
    }
}
