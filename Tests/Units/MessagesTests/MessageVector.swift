import Contracts
import Domain
import Envelope
import Foundation
import MessageBus

/// One message of `Tests/Support/Vectors/messages-<version>.json`: its frames as text, byte for byte, and the type of the
/// payload. A released vector never changes, and later releases must read it.
struct MessageVector: Codable, Sendable, Equatable, CustomStringConvertible {
    enum Form: String, Codable, Sendable {
        /// A header, a payload and attachments.
        case envelope
        /// An event of the stream, alone.
        case event
        /// A frame of the broker's own answers, alone.
        case frame
    }

    let name: String
    let form: Form
    /// The type of the payload, as `readers` knows it; nil when it is empty.
    let payload: String?
    let frames: [String]

    var description: String { name }
    var wire: [[UInt8]] { frames.map { Array($0.utf8) } }

    /// Decodes and encodes the payload of each contract.
    static let readers: [String: @Sendable ([UInt8]) throws -> [UInt8]] = [
        "ChartRequest": reread(ChartRequest.self), "DetailRequest": reread(DetailRequest.self),
        "FilmSearchRequest": reread(FilmSearchRequest.self), "FilmPage": reread(FilmPage.self),
        "PosterRequest": reread(PosterRequest.self), "Chart": reread(Chart.self),
        "FilmDetail": reread(FilmDetail.self), "Poster": reread(Poster.self),
        "PosterImageRequest": reread(PosterImageRequest.self), "PosterImage": reread(PosterImage.self),
        "CachePeekRequest": reread(CachePeekRequest.self), "CachePeekReply": reread(CachePeekReply.self),
        "CacheGetRequest": reread(CacheGetRequest.self), "CacheGetReply": reread(CacheGetReply.self),
        "CachePutRequest": reread(CachePutRequest.self), "CachePutReply": reread(CachePutReply.self),
        "CacheRenewRequest": reread(CacheRenewRequest.self), "CacheReleaseRequest": reread(CacheReleaseRequest.self),
        "QuotaTakeRequest": reread(QuotaTakeRequest.self), "QuotaTakeReply": reread(QuotaTakeReply.self),
        "ArchiveChartsRequest": reread(ArchiveChartsRequest.self),
        "ArchiveChartsReply": reread(ArchiveChartsReply.self),
        "ArchiveEditionsRequest": reread(ArchiveEditionsRequest.self),
        "ArchiveEditionsReply": reread(ArchiveEditionsReply.self),
        "ArchiveRunRequest": reread(ArchiveRunRequest.self), "ArchiveRunReply": reread(ArchiveRunReply.self),
        "ArchiveEstimateRequest": reread(ArchiveEstimateRequest.self),
        "ArchiveEstimateReply": reread(ArchiveEstimateReply.self),
        "ArchiveFillRequest": reread(ArchiveFillRequest.self), "ArchiveFillOrder": reread(ArchiveFillOrder.self),
        "ArchiveFillChangeRequest": reread(ArchiveFillChangeRequest.self),
        "ArchiveOrderRequest": reread(ArchiveOrderRequest.self),
        "ArchiveStatusReply": reread(ArchiveStatusReply.self),
        "ArchiveTopRequest": reread(ArchiveTopRequest.self), "ArchiveTopReply": reread(ArchiveTopReply.self),
        "ArchiveShareRequest": reread(ArchiveShareRequest.self), "ArchiveShareReply": reread(ArchiveShareReply.self),
        "ArchiveRecordsRequest": reread(ArchiveRecordsRequest.self),
        "ArchiveRecordsReply": reread(ArchiveRecordsReply.self),
        "ArchiveNewRequest": reread(ArchiveNewRequest.self), "ArchiveNewReply": reread(ArchiveNewReply.self),
        "ArchiveLeadersRequest": reread(ArchiveLeadersRequest.self),
        "ArchiveLeadersReply": reread(ArchiveLeadersReply.self),
        "ArchiveTitlesRequest": reread(ArchiveTitlesRequest.self),
        "ArchiveTitlesReply": reread(ArchiveTitlesReply.self),
        "ArchivePersonRequest": reread(ArchivePersonRequest.self),
        "ArchivePersonReply": reread(ArchivePersonReply.self),
        "QuotaExhaustedRequest": reread(QuotaExhaustedRequest.self), "QuotaListReply": reread(QuotaListReply.self),
        "CacheStatsReply": reread(CacheStatsReply.self), "CachePurgeRequest": reread(CachePurgeRequest.self),
        "CacheRemovalReply": reread(CacheRemovalReply.self), "CachePinRequest": reread(CachePinRequest.self),
        "CacheUnpinRequest": reread(CacheUnpinRequest.self), "CacheUnpinReply": reread(CacheUnpinReply.self),
        "ServiceInfo": reread(ServiceInfo.self), "ServiceStats": reread(ServiceStats.self),
        "[ServiceTraffic]": reread([ServiceTraffic].self), "BrokerStatus": reread(BrokerStatus.self),
        "MessageCounts": reread(MessageCounts.self), "Event": reread(Event.self),
    ]

    private static func reread<Value: Codable & SendableMetatype>(_ type: Value.Type)
        -> @Sendable ([UInt8]) throws -> [UInt8]
    {
        { try JSONBytes.encode(JSONBytes.decode(type, from: $0)) }
    }
}

extension MessageVector {
    /// The file of the messages that this version writes.
    static let currentFile = "messages-\(SchemaVersion.current).json"

    static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "../Support/Vectors").standardizedFileURL

    /// The files of all versions.
    static func files() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path)
            .filter { $0.hasPrefix("messages-") && $0.hasSuffix(".json") }.sorted()
    }

    static func load(_ file: String) throws -> [MessageVector] {
        try JSONDecoder().decode([MessageVector].self, from: Data(contentsOf: folder.appending(path: file)))
    }

    static func text(of vectors: [MessageVector]) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(vectors), as: UTF8.self) + "\n"
    }
}
