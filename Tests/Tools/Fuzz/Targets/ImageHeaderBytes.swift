import Domain

/// Bytes after the header do not change the result.
func readImageHeader(_ bytes: [UInt8]) {
    guard let header = ImageHeader(bytes) else { return }
    claim(header.width > 0 && header.height > 0, "an image of \(header.width) x \(header.height) pixels")
    claim(ImageHeader(bytes + [0xFF, 0xD9, 0]) == header, "the header changes with what follows it")
    // A prefix holds no image of another size.
    let shorter = ImageHeader(bytes.dropLast())
    claim(shorter == nil || shorter == header, "\(header) begins like \(String(describing: shorter))")
}
