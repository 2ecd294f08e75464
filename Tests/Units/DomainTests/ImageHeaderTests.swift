import Domain
import Foundation
import Testing

/// `Tests/Support/Vectors/images.json` contains the beginnings of files written by libpng, giflib, libjpeg and libwebp.
@Suite struct ImageHeaderTests {
    struct Vector: Decodable, Sendable, CustomTestStringConvertible {
        let name: String
        let mediaType: String
        let width: Int
        let height: Int
        let hex: String

        var testDescription: String { name }
        var bytes: [UInt8] { ImageHeaderTests.bytes(hex) }
    }

    /// Empty when the file cannot be read; then the first test fails.
    private static let vectors: [Vector] = {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "../../Support/Vectors/images.json")
        return (try? JSONDecoder().decode([Vector].self, from: Data(contentsOf: file))) ?? []
    }()

    private static func bytes(_ hex: String) -> [UInt8] {
        stride(from: 0, to: hex.utf8.count, by: 2).compactMap { place in
            UInt8(hex.dropFirst(place).prefix(2), radix: 16)
        }
    }

    @Test func `there is a vector of every format`() {
        #expect(Set(Self.vectors.map(\.mediaType)) == Set(ImageHeader.Format.allCases.map(\.rawValue)))
    }

    @Test(arguments: vectors)
    func `format and size are read`(vector: Vector) throws {
        let header = try #require(ImageHeader(vector.bytes))
        #expect(header.format.rawValue == vector.mediaType)
        #expect(header.width == vector.width && header.height == vector.height)
    }

    @Test(arguments: vectors)
    func `a file that ends early has no size, or the same`(vector: Vector) throws {
        let whole = try #require(ImageHeader(vector.bytes))
        let found = vector.bytes.indices.map { ImageHeader(vector.bytes.prefix($0)) }
        #expect(found.allSatisfy { $0 == nil || $0 == whole })
        #expect(found.prefix(10).allSatisfy { $0 == nil })
    }

    @Test(arguments: [
        "", "ff", "ffd8", "ffd8ff", "3c21444f43545950452068746d6c3e", "424d7e00000000000000", "25504446",
        // A PNG whose first chunk is another, a PNG without width, a GIF without height.
        "89504e470d0a1a0a0000000d494441540000012c000001a4", "89504e470d0a1a0a0000000d4948445200000000000001a4",
        "4749463837612c010000",
        // A JPEG whose data begin before its size, one whose segment has no length, and one that is cut off.
        "ffd8ffda000c03010002110311003f00", "ffd8ffe00000ffc000110801a4012c0301", "ffd8ffe0ffff4a46",
        // A RIFF that is not WebP, and a WebP of an unknown kind.
        "524946467601000041564920565038206a010000901f009d012a2c01a401",
        "524946467601000057454250565039206a010000901f009d012a2c01a401",
        // A lossy one without its start code, a lossless one without its signature.
        "524946467601000057454250565038206a010000901f009d012b2c01a401",
        "5249464628000000574542505650384c1b0000002e2bc16800",
    ])
    func `a file of another format has no header`(hex: String) {
        #expect(ImageHeader(Self.bytes(hex)) == nil)
    }
}
