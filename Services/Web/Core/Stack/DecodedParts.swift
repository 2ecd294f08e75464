import Assembly
import Contracts
import Domain
import Envelope
import Synchronization
import Zlib

/// The decoded parts of recent answers: a stored value is decoded once, not for each page.
final class DecodedParts: Sendable {
    private enum Decoded {
        case chart(Chart)
        case detail(FilmDetail)
        case poster(Poster)
        case films(FilmPage)
        case unreadable
    }

    private struct Key: Hashable {
        let type: ObjectIdentifier
        let value: [UInt8]

        /// A checksum is several times faster than the hash of so many bytes; equal ones are compared.
        func hash(into hasher: inout Hasher) {
            hasher.combine(type)
            hasher.combine(Zlib.crc32(value))
        }
    }

    private struct Generations {
        var young: [Key: Decoded] = [:]
        var old: [Key: Decoded] = [:]
    }

    /// When so many are young, those that were not used since the last time are forgotten.
    private static let capacity = 400

    private let decoded = Mutex(Generations())

    /// Nil without a value, and for one that does not match its contract.
    func chart(_ part: PartOutcome?) -> Chart? {
        guard case .chart(let chart)? = read(part, as: Chart.self, Decoded.chart) else { return nil }
        return chart
    }

    func detail(_ part: PartOutcome?) -> FilmDetail? {
        guard case .detail(let detail)? = read(part, as: FilmDetail.self, Decoded.detail) else { return nil }
        return detail
    }

    func poster(_ part: PartOutcome?) -> Poster? {
        guard case .poster(let poster)? = read(part, as: Poster.self, Decoded.poster) else { return nil }
        return poster
    }

    func films(_ part: PartOutcome?) -> FilmPage? {
        guard case .films(let films)? = read(part, as: FilmPage.self, Decoded.films) else { return nil }
        return films
    }

    /// The value of the part that a page cannot do without.
    ///
    /// - Throws: as `VisitorQuery.value(of:)`; `Failure` for a value that does not match its contract.
    func value<Value>(
        of part: PartOutcome, in visitor: VisitorQuery, _ read: (PartOutcome?) -> Value?
    ) throws -> Value {
        _ = try visitor.value(of: part)
        guard let value = read(part) else { throw Failure.unreadable }
        return value
    }

    /// The answer with a failure in place of each part whose value does not match its contract.
    func readable(_ assembly: ShowAssembly) -> ShowAssembly {
        assembly.replacingUnreadableParts { part, slot in
            switch slot?.part {
            case nil: chart(part) != nil
            case .detail: detail(part) != nil
            case .poster: poster(part) != nil
            }
        }
    }

    private func read<Value: Decodable>(
        _ part: PartOutcome?, as type: Value.Type, _ wrap: (Value) -> Decoded
    ) -> Decoded? {
        guard let value = part?.value else { return nil }
        let key = Key(type: ObjectIdentifier(type), value: value)
        if let cached = cachedValue(key) { return cached }
        // Why it does not decode does not matter to a page: the part counts as unreadable.
        let result = (try? JSONBytes.decode(type, from: value)).map(wrap) ?? .unreadable
        decoded.withLock { generations in
            if generations.young.count >= Self.capacity {
                generations.old = generations.young
                generations.young = [:]
            }
            generations.young[key] = result
        }
        return result
    }

    private func cachedValue(_ key: Key) -> Decoded? {
        decoded.withLock { generations in
            if let young = generations.young[key] { return young }
            guard let old = generations.old.removeValue(forKey: key) else { return nil }
            generations.young[key] = old
            return old
        }
    }
}
