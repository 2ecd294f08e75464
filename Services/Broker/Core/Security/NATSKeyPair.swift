import CSodium

/// The keys of a user of NATS (Ed25519), in the text form of nkeys: Base32 of a prefix, the key and a checksum.
struct NATSKeyPair {
    /// 56 characters, of which the first is U.
    let publicKey: String
    /// The secret: 58 characters, of which the first two are SU.
    let seed: String

    private static let userPrefix: UInt8 = 20 << 3
    private static let seedPrefix: UInt8 = 18 << 3

    static func random() -> NATSKeyPair {
        var seed = [UInt8](repeating: 0, count: Int(crypto_sign_SEEDBYTES))
        randombytes_buf(&seed, seed.count)
        return NATSKeyPair(seed: seed)
    }

    /// - Parameter seed: 32 random bytes.
    init(seed: [UInt8]) {
        precondition(seed.count == Int(crypto_sign_SEEDBYTES))
        var publicKey = [UInt8](repeating: 0, count: Int(crypto_sign_PUBLICKEYBYTES))
        var secretKey = [UInt8](repeating: 0, count: Int(crypto_sign_SECRETKEYBYTES))
        crypto_sign_seed_keypair(&publicKey, &secretKey, seed)
        self.publicKey = Self.text([Self.userPrefix] + publicKey)
        // The prefix of the key's kind begins in the last three bits of the first byte.
        self.seed = Self.text([Self.seedPrefix | Self.userPrefix >> 5, Self.userPrefix << 3] + seed)
    }

    /// The public key in a text; nil when it is no public key of a user.
    static func publicKey(in text: String) -> String? {
        guard let bytes = base32Decoded(text), bytes.count == 35, bytes[0] == userPrefix,
            text == Self.text(Array(bytes.dropLast(2)))
        else { return nil }
        return text
    }

    private static func text(_ bytes: [UInt8]) -> String {
        let sum = checksum(bytes)
        return base32(bytes + [UInt8(truncatingIfNeeded: sum), UInt8(sum >> 8)])
    }

    /// CRC-16/XMODEM.
    private static func checksum(_ bytes: [UInt8]) -> UInt16 {
        bytes.reduce(0) { sum, byte in
            (0..<8).reduce(sum ^ UInt16(byte) << 8) { sum, _ in sum & 0x8000 == 0 ? sum << 1 : sum << 1 ^ 0x1021 }
        }
    }

    private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".utf8)

    /// RFC 4648 without padding.
    private static func base32(_ bytes: [UInt8]) -> String {
        var (text, buffer, bits): ([UInt8], UInt32, Int) = ([], 0, 0)
        for byte in bytes {
            (buffer, bits) = (buffer << 8 | UInt32(byte), bits + 8)
            while bits >= 5 {
                bits -= 5
                text.append(digits[Int(buffer >> UInt32(bits) & 31)])
            }
        }
        if bits > 0 { text.append(digits[Int(buffer << UInt32(5 - bits) & 31)]) }
        return String(decoding: text, as: UTF8.self)
    }

    private static func base32Decoded(_ text: String) -> [UInt8]? {
        var (bytes, buffer, bits): ([UInt8], UInt32, Int) = ([], 0, 0)
        for character in text.utf8 {
            guard let digit = digits.firstIndex(of: character) else { return nil }
            (buffer, bits) = (buffer << 5 | UInt32(digit), bits + 5)
            guard bits >= 8 else { continue }
            bits -= 8
            bytes.append(UInt8(truncatingIfNeeded: buffer >> UInt32(bits)))
        }
        return bytes
    }
}
