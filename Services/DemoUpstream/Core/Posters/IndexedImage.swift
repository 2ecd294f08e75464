/// A picture of at most 256 colours: one byte a pixel, row after row.
struct IndexedImage: Sendable, Equatable {
    struct Colour: Sendable, Equatable {
        let red: UInt8
        let green: UInt8
        let blue: UInt8
    }

    let width: Int
    let height: Int
    private(set) var palette: [Colour]
    private(set) var pixels: [UInt8]

    /// A picture filled with the palette's first colour.
    init(width: Int, height: Int, palette: [Colour]) {
        self.width = width
        self.height = height
        self.palette = palette
        pixels = Array(repeating: 0, count: width * height)
    }

    /// Fills part of one row, clipped to the picture.
    mutating func fill(row: Int, from start: Int, to end: Int, with colour: UInt8) {
        let start = max(0, start)
        let end = min(width, end)
        guard (0..<height).contains(row), start < end else { return }
        let offset = row * width
        // A loop over a buffer: replacing a subrange would move the rest of the array.
        pixels.withUnsafeMutableBufferPointer { buffer in
            buffer[(offset + start)..<(offset + end)].update(repeating: colour)
        }
    }

    mutating func fillRectangle(x: Int, y: Int, width: Int, height: Int, with colour: UInt8) {
        for row in max(0, y)..<max(0, y, min(self.height, y + height)) {
            fill(row: row, from: x, to: x + width, with: colour)
        }
    }

    mutating func fillCircle(x: Int, y: Int, radius: Int, with colour: UInt8) {
        for row in (y - radius)...(y + radius) {
            let distance = row - y
            let half = Int(Double(radius * radius - distance * distance).squareRoot())
            fill(row: row, from: x - half, to: x + half, with: colour)
        }
    }

    /// Fills a triangle on its base, as a mountain.
    mutating func fillPeak(x: Int, y: Int, height: Int, base: Int, with colour: UInt8) {
        guard height > 0 else { return }
        for step in 0..<height {
            let half = base * step / height / 2
            fill(row: y + step, from: x - half, to: x + half, with: colour)
        }
    }
}
