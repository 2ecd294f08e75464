internal import Localization

/// One message: a header, a payload that only the receiver decodes, and attachments that are forwarded unchanged.
public struct Envelope: Sendable, Equatable {
    public var header: Header
    /// The JSON of the message's contract, byte for byte; empty when there is none.
    public var payload: [UInt8]
    /// Raw bytes, such as cached values and images; never base64.
    public var attachments: [[UInt8]]

    public init(header: Header, payload: [UInt8] = [], attachments: [[UInt8]] = []) {
        self.header = header
        self.payload = payload
        self.attachments = attachments
    }

    /// The frames on the wire: header, payload, attachments.
    public func frames() throws -> [[UInt8]] {
        var frames: [[UInt8]] = []
        frames.reserveCapacity(2 + attachments.count)
        frames.append(try header.json())
        frames.append(payload)
        frames += attachments
        try Self.checkSize(of: frames)
        return frames
    }

    /// Reads the output of `frames()`; throws a `Failure` that describes the fault.
    public init(frames: ArraySlice<[UInt8]>) throws {
        guard frames.count >= 2, let first = frames.first else {
            throw Failure.malformedEnvelope("\(frames.count) frames, at least 2 expected")
        }
        header = try Header(plainJSON: first) ?? Self.decodedHeader(first)
        payload = frames[frames.startIndex + 1]
        attachments = Array(frames.dropFirst(2))
    }

    /// Reads a header of another minor version, or throws a `Failure` that describes its fault.
    private static func decodedHeader(_ bytes: [UInt8]) throws -> Header {
        let version: SchemaProbe
        do {
            version = try JSONBytes.decode(SchemaProbe.self, from: bytes)
        } catch {
            throw Failure.malformedEnvelope("the header is not JSON with a schema")
        }
        guard version.schema.major == SchemaVersion.current.major else {
            throw Failure.unsupportedVersion(version.schema)
        }
        do {
            return try JSONBytes.decode(Header.self, from: bytes)
        } catch let error as DecodingError {
            throw Failure.malformedEnvelope("the header's field \(error.field) is missing or not what it should be")
        }
    }

    private struct SchemaProbe: Codable {
        let schema: SchemaVersion
    }
}

extension Failure {
    /// A malformed message; `reason` is a clause in English.
    public static func malformedEnvelope(_ reason: String) -> Failure {
        Failure(
            .malformed,
            LocalizedText(ko: "메시지를 읽을 수 없습니다: \(reason)", en: "The message cannot be read: \(reason)"),
            isRetryable: false)
    }

    static func unsupportedVersion(_ version: SchemaVersion) -> Failure {
        Failure(
            .unsupportedVersion,
            LocalizedText(
                ko:
                    "메시지 형식 \("\(version)".with(.object)) 알지 못합니다(이 프로그램: \(SchemaVersion.current)). 모든 프로그램을 같은 판으로 맞추세요.",
                en: "Message format \(version) is unknown here (this program: \(SchemaVersion.current)). "
                    + "Bring all programs to the same release."),
            isRetryable: false)
    }
}
