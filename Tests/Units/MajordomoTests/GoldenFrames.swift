import Foundation
import Majordomo

/// One entry of `Tests/Support/Vectors`: frames on the wire, and their meaning.
struct GoldenFrames: Decodable, Sendable, CustomStringConvertible {
    enum Side: String, Decodable { case client, worker, broker }

    /// The fields present depend on `kind`; an options frame has no kind.
    struct Meaning: Decodable, Sendable {
        let kind: String?
        let service: String?
        let address: String?
        let body: [String]?
        let extra: [String]?

        let id: String?
        let flags: [String]?
        let attempts: UInt8?
        let remainingMilliseconds: UInt32?
        let queuedMicroseconds: UInt32?

        let instance: String?
        let capacity: Int?
        let heartbeatMilliseconds: Int?
        let exclusive: Bool?
        let process: String?
        /// Whether encoding the meaning gives exactly these bytes.
        let canonical: Bool?
    }

    let name: String
    let from: Side
    let to: Side
    let version: String?
    private let frames: [String]
    let meaning: Meaning?
    /// For an exchange: the services that have a worker, and the answer of the broker.
    let registered: [String]?
    private let reply: [String]?

    var description: String { name }
    var wire: [Frame] { frames.map(Frame.init(hexadecimal:)) }
    var replyWire: [Frame]? { reply?.map(Frame.init(hexadecimal:)) }

    var majordomo: MajordomoVersion {
        get throws {
            switch version {
            case "0.1": .v01
            case "0.2": .v02
            default: throw CocoaError(.coderInvalidValue)
            }
        }
    }

    static func all(_ file: String) throws -> [GoldenFrames] {
        let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let data = try Data(contentsOf: tests.appending(path: "../Support/Vectors/\(file).json"))
        return try JSONDecoder().decode([GoldenFrames].self, from: data)
    }
}

extension Frame {
    init(hexadecimal text: String) {
        let digits = text.compactMap(\.hexDigitValue)
        precondition(digits.count == text.count && digits.count.isMultiple(of: 2), "no hexadecimal bytes: \(text)")
        self.init(stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] * 16 + digits[$0 + 1]) })
    }
}
