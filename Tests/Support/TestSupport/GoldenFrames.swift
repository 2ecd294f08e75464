import Foundation
package import Majordomo
package import MessageBus

/// One entry of `Tests/Support/Vectors`: frames on the wire, and their meaning.
package struct GoldenFrames: Decodable, Sendable, CustomStringConvertible {
    package enum Side: String, Decodable { case client, worker, broker }

    /// The fields present depend on `kind`; an options frame has no kind.
    package struct Meaning: Decodable, Sendable {
        package let kind: String?
        package let service: String?
        package let address: String?
        package let body: [String]?
        package let extra: [String]?

        package let id: String?
        package let flags: [String]?
        package let attempts: UInt8?
        package let remainingMilliseconds: UInt32?
        package let queuedMicroseconds: UInt32?

        package let instance: String?
        package let capacity: Int?
        package let heartbeatMilliseconds: Int?
        package let exclusive: Bool?
        package let process: String?
        /// Whether encoding the meaning gives exactly these bytes.
        package let canonical: Bool?
    }

    package let name: String
    package let from: Side
    package let to: Side
    package let version: String?
    private let frames: [String]
    package let meaning: Meaning?
    /// For an exchange: the services that have a worker, and the answer of the broker.
    package let registered: [String]?
    private let reply: [String]?

    package var description: String { name }
    package var wire: [Frame] { frames.map(Frame.init(hexadecimal:)) }
    package var replyWire: [Frame]? { reply?.map(Frame.init(hexadecimal:)) }

    package var majordomo: MajordomoVersion {
        get throws {
            switch version {
            case "0.1": .v01
            case "0.2": .v02
            default: throw CocoaError(.coderInvalidValue)
            }
        }
    }

    package static func all(_ file: String) throws -> [GoldenFrames] {
        let support = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let data = try Data(contentsOf: support.appending(path: "Vectors/\(file).json"))
        return try JSONDecoder().decode([GoldenFrames].self, from: data)
    }
}

extension Frame {
    package init(hexadecimal text: String) {
        let digits = text.compactMap(\.hexDigitValue)
        precondition(digits.count == text.count && digits.count.isMultiple(of: 2), "no hexadecimal bytes: \(text)")
        self.init(stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] * 16 + digits[$0 + 1]) })
    }
}
