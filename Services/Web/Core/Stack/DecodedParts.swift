import Assembly
import Contracts
import Domain
import Envelope
import Synchronization
import Zlib

/// The decoded parts of recent answers: a stored value is decoded once, not for each page.
final class DecodedParts: Sendable {
    private struct Key: Hashable {
        let type: ObjectIdentifier
        let value: [UInt8]

        /// A checksum is several times faster than the hash of so many bytes; equal ones are compared.
        func hash(into hasher: inout Hasher) {
            hasher.combine(type)
            hasher.combine(Zlib.crc32(value))
        }
    }

    /// In the place of a value that does not decode.
    private struct Unreadable: Sendable {}

    private struct Generations {
        var young: [Key: any Sendable] = [:]
        var old: [Key: any Sendable] = [:]
    }

    /// When so many are young, those that were not used since the last time are forgotten.
    private static let capacity = 400

    private let decoded = Mutex(Generations())

    func chart(_ part: PartOutcome?) -> Chart? { value(of: part) }
    func detail(_ part: PartOutcome?) -> FilmDetail? { value(of: part) }
    func poster(_ part: PartOutcome?) -> Poster? { value(of: part) }
    func films(_ part: PartOutcome?) -> FilmPage? { value(of: part) }

    /// Nil without a value, and for one that does not match its contract.
    func value<Value: Decodable & Sendable>(of part: PartOutcome?) -> Value? {
        part?.value.flatMap { read($0, as: Value.self) as? Value }
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
        assembly.replacingUnreadableParts { value, type in !(read(value, as: type) is Unreadable) }
    }

    private func read(_ value: [UInt8], as type: any (Decodable & Sendable).Type) -> any Sendable {
        let key = Key(type: ObjectIdentifier(type), value: value)
        if let known = known(key) { return known }
        // Why it does not decode does not matter to a page: the part counts as unreadable.
        let result: any Sendable = (try? JSONBytes.decode(type, from: value)) ?? Unreadable()
        decoded.withLock { generations in
            if generations.young.count >= Self.capacity {
                generations.old = generations.young
                generations.young = [:]
            }
            generations.young[key] = result
        }
        return result
    }

    /// Nil when it was not read lately.
    private func known(_ key: Key) -> (any Sendable)? {
        decoded.withLock { generations in
            if let young = generations.young[key] { return young }
            guard let old = generations.old.removeValue(forKey: key) else { return nil }
            generations.young[key] = old
            return old
        }
    }
}
