/// The key of a user of NATS (an "nkey", Ed25519), in a file.
struct NATSKey: Sendable, Hashable {
    /// 56 characters of Base32, of which the first is U.
    let publicKey: String
    /// The file with the seed, which is read at each connection.
    let file: String

    /// - Parameter text: of the file: a line with the public key, a line with the seed, and nothing else.
    /// - Returns: nil for another text.
    init?(_ text: String, in file: String) {
        let lines = text.split(whereSeparator: \.isNewline)
        guard lines.count == 2, Self.isKey(lines[0], beginning: "U", count: 56),
            Self.isKey(lines[1], beginning: "SU", count: 58)
        else { return nil }
        publicKey = String(lines[0])
        self.file = file
    }

    private static func isKey(_ line: Substring, beginning: String, count: Int) -> Bool {
        line.utf8.count == count && line.hasPrefix(beginning)
            && line.utf8.allSatisfy { byte in
                (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
                    || (UInt8(ascii: "2")...UInt8(ascii: "7")).contains(byte)
            }
    }
}
