/// The format and size of an image from its first bytes. The format is determined by the signature, not by the server.
public struct ImageHeader: Sendable, Hashable {
    /// The formats that a poster may have; the raw values are their media types.
    public enum Format: String, Sendable, CaseIterable {
        case jpeg = "image/jpeg"
        case png = "image/png"
        case gif = "image/gif"
        case webp = "image/webp"
    }

    public let format: Format
    /// In pixels.
    public let width: Int
    /// In pixels.
    public let height: Int

    /// Parses the beginning of an image; nil for other data, and for an image whose size is missing.
    public init?(_ bytes: some RandomAccessCollection<UInt8>) {
        let bytes = ImageBytes(Array(bytes.prefix(Self.reach)))
        guard let (format, size) = Self.png(bytes) ?? Self.gif(bytes) ?? Self.webp(bytes) ?? Self.jpeg(bytes),
            size.width > 0, size.height > 0
        else { return nil }
        self.format = format
        (width, height) = size
    }

    private typealias Found = (Format, (width: Int, height: Int))

    /// The maximum position of the size in a JPEG: cameras and editors put previews and profiles before it.
    private static let reach = 512 * 1024

    private static func png(_ bytes: ImageBytes) -> Found? {
        guard bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]), bytes.text(12, 4) == "IHDR",
            let width = bytes.bigEndian(16, 4), let height = bytes.bigEndian(20, 4)
        else { return nil }
        return (.png, (width, height))
    }

    private static func gif(_ bytes: ImageBytes) -> Found? {
        guard ["GIF87a", "GIF89a"].contains(bytes.text(0, 6)), let width = bytes.littleEndian(6, 2),
            let height = bytes.littleEndian(8, 2)
        else { return nil }
        return (.gif, (width, height))
    }

    /// The three kinds of WebP store their size in three ways (RFC 9649).
    private static func webp(_ bytes: ImageBytes) -> Found? {
        guard bytes.text(0, 4) == "RIFF", bytes.text(8, 4) == "WEBP" else { return nil }
        switch bytes.text(12, 4) {
        case "VP8 ":
            guard bytes.bigEndian(23, 3) == 0x9D012A, let width = bytes.littleEndian(26, 2),
                let height = bytes.littleEndian(28, 2)
            else { return nil }
            return (.webp, (width & 0x3FFF, height & 0x3FFF))
        case "VP8L":
            guard bytes.bigEndian(20, 1) == 0x2F, let bits = bytes.littleEndian(21, 4) else { return nil }
            return (.webp, ((bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1))
        case "VP8X":
            guard let width = bytes.littleEndian(24, 3), let height = bytes.littleEndian(27, 3) else { return nil }
            return (.webp, (width + 1, height + 1))
        default: return nil
        }
    }

    /// Skips segments until the one that begins a frame.
    private static func jpeg(_ bytes: ImageBytes) -> Found? {
        guard bytes.starts(with: [0xFF, 0xD8]) else { return nil }
        var place = 2
        while let mark = bytes.bigEndian(place, 1), mark == 0xFF, let marker = bytes.bigEndian(place + 1, 1) {
            switch marker {
            case 0xFF: place += 1
            case 0x01, 0xD0...0xD7: place += 2
            // The image data, or its end: the size must precede it.
            case 0xD9, 0xDA: return nil
            case 0xC0...0xCF where ![0xC4, 0xC8, 0xCC].contains(marker):
                guard let height = bytes.bigEndian(place + 5, 2), let width = bytes.bigEndian(place + 7, 2) else {
                    return nil
                }
                return (.jpeg, (width, height))
            default:
                guard let length = bytes.bigEndian(place + 2, 2), length >= 2 else { return nil }
                place += 2 + length
            }
        }
        return nil
    }
}

/// Numbers and texts at positions of a possibly truncated file.
private struct ImageBytes {
    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    func starts(with signature: [UInt8]) -> Bool { bytes.starts(with: signature) }

    func text(_ place: Int, _ count: Int) -> String? {
        slice(place, count).map { String(decoding: $0, as: Unicode.ASCII.self) }
    }

    func bigEndian(_ place: Int, _ count: Int) -> Int? {
        slice(place, count)?.reduce(0) { $0 << 8 | Int($1) }
    }

    func littleEndian(_ place: Int, _ count: Int) -> Int? {
        slice(place, count)?.reversed().reduce(0) { $0 << 8 | Int($1) }
    }

    private func slice(_ place: Int, _ count: Int) -> ArraySlice<UInt8>? {
        bytes.count - place >= count ? bytes[place..<place + count] : nil
    }
}
