/// The colours of one poster: a sky from top to bottom, and a dark, a middle and a light colour for what stands in it.
struct PosterPalette: Sendable {
    let top: UInt32
    let bottom: UInt32
    let dark: UInt32
    let middle: UInt32
    let light: UInt32

    static let all = [
        PosterPalette(top: 0x1B1F3B, bottom: 0xE98A6B, dark: 0x2A2547, middle: 0x6B4570, light: 0xF9CF9C),
        PosterPalette(top: 0x0C2D48, bottom: 0x9AD6D2, dark: 0x10435C, middle: 0x2B8793, light: 0xF6ECCF),
        PosterPalette(top: 0x12261E, bottom: 0xA9C2A2, dark: 0x1C4433, middle: 0x43825E, light: 0xF3DFA9),
        PosterPalette(top: 0x0F0F14, bottom: 0x6A6A77, dark: 0x1B1B24, middle: 0x3A3A46, light: 0xDE5350),
        PosterPalette(top: 0x5A3D2B, bottom: 0xF4D3A0, dark: 0x6B432C, middle: 0xB47447, light: 0xFFF3DC),
        PosterPalette(top: 0x1D1135, bottom: 0xBB93CF, dark: 0x311C55, middle: 0x71479B, light: 0xFFD7B3),
        PosterPalette(top: 0x22384B, bottom: 0xE3EDF4, dark: 0x34506A, middle: 0x86A4BD, light: 0xFFFFFF),
        PosterPalette(top: 0x2A0D0D, bottom: 0xDD6A32, dark: 0x471414, middle: 0x95301F, light: 0xFFD98A),
    ]

    static let skyBands = 64
    static let dark = UInt8(skyBands)
    static let middle = dark + 1
    static let light = dark + 2
    static let markGround = dark + 3
    static let mark = dark + 4

    /// By the indices above.
    var colours: [IndexedImage.Colour] {
        let (first, last) = (Self.parts(top), Self.parts(bottom))
        let sky = (0..<Self.skyBands).map { band in
            Self.colour((0..<3).map { first[$0] + (last[$0] - first[$0]) * band / (Self.skyBands - 1) })
        }
        return sky + [dark, middle, light, 0x101014, 0xFFFFFF].map { Self.colour(Self.parts($0)) }
    }

    private static func parts(_ colour: UInt32) -> [Int] {
        [16, 8, 0].map { Int(colour >> $0 & 0xFF) }
    }

    private static func colour(_ parts: [Int]) -> IndexedImage.Colour {
        .init(red: UInt8(parts[0]), green: UInt8(parts[1]), blue: UInt8(parts[2]))
    }
}
