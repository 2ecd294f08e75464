public import Contracts
public import Domain
public import Envelope
internal import Localization
internal import Zlib

/// The answer to one `show`: the chart, and each `FilmPart` of each of its films.
///
/// A pure value: parts arrive in any order, each once; `isComplete` when all are present and ok.
public struct ShowAssembly: Sendable {
    public struct Film: Sendable, Equatable {
        public let code: String
        /// By raw value.
        private var outcomes = [PartOutcome?](repeating: nil, count: FilmPart.allCases.count)

        init(code: String) {
            self.code = code
        }

        /// Nil while it has not arrived.
        public internal(set) subscript(_ part: FilmPart) -> PartOutcome? {
            get { outcomes[part.rawValue] }
            set { outcomes[part.rawValue] = newValue }
        }

        public var detail: PartOutcome? { self[.detail] }
        public var poster: PartOutcome? { self[.poster] }
        /// Those that have arrived.
        public var parts: [PartOutcome] { outcomes.compactMap(\.self) }
        /// Whether all have arrived.
        public var isWhole: Bool { !outcomes.contains(nil) }
    }

    /// The place of a part in the answer.
    public struct Slot: Sendable, Hashable {
        /// The index of the film.
        public let film: Int
        public let part: FilmPart

        public init(_ film: Int, _ part: FilmPart) {
            self.film = film
            self.part = part
        }
    }

    public let selection: ChartSelection
    public let chart: PartOutcome
    public private(set) var films: [Film]

    public init(_ selection: ChartSelection, chart: PartOutcome, codes: [String]) {
        self.selection = selection
        self.chart = chart
        films = codes.map { Film(code: $0) }
    }

    /// The chart's day, or the first of its days.
    public var date: Day { selection.days.lowerBound }

    /// Stores a part; only the first one of each slot counts.
    public mutating func receive(_ outcome: PartOutcome, for slot: Slot) {
        if films[slot.film][slot.part] == nil { films[slot.film][slot.part] = outcome }
    }

    /// Parts that have not arrived.
    public var missing: [Slot] {
        films.indices.flatMap { film in
            FilmPart.allCases.compactMap { films[film][$0] == nil ? Slot(film, $0) : nil }
        }
    }

    /// All parts that have arrived, the chart first.
    public var parts: [PartOutcome] {
        [chart] + films.flatMap(\.parts)
    }

    /// The least genuine source of its parts; nil while there is none.
    public var source: DataSource? { parts.compactMap(\.source).min() }

    /// Every part arrived and is ok: none is stale, failed or late.
    public var isComplete: Bool {
        chart.status == .ok && films.allSatisfy { film in FilmPart.allCases.allSatisfy { film[$0]?.status == .ok } }
    }
}

extension ShowAssembly {
    /// A copy in which an earlier answer's parts replace those that have not arrived.
    func filled(from earlier: ShowAssembly) -> ShowAssembly {
        var filled = self
        let byCode = Dictionary(earlier.films.map { ($0.code, $0) }, uniquingKeysWith: { first, _ in first })
        for slot in missing {
            if let outcome = byCode[films[slot.film].code]?[slot.part] { filled.receive(outcome, for: slot) }
        }
        return filled
    }
}

extension ShowAssembly {
    /// Differs when a part differs, in its value or in its status; 16 hexadecimal digits.
    public var version: String {
        // FNV-1a over the checksums of the parts.
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        func add(_ number: UInt64) { hash = (hash ^ number) &* 0x0100_0000_01b3 }
        for part in [chart] + films.flatMap({ film in FilmPart.allCases.map { film[$0] } }) {
            add(UInt64(Zlib.crc32(part?.value ?? [])))
            add(UInt64(Zlib.crc32(Array((part?.status.rawValue ?? "").utf8))))
        }
        return String(hash, radix: 16)
    }
}

extension ShowAssembly {
    /// A copy in which a failure replaces each part whose value does not match its contract.
    public func withoutUnreadableParts() -> ShowAssembly {
        // The error is of no use to a reader, whose answer says that the part is unreadable.
        replacingUnreadableParts { value, type in (try? JSONBytes.decode(type, from: value)) != nil }
    }

    /// - Parameter isReadable: whether a value decodes as this type.
    public func replacingUnreadableParts(
        _ isReadable: (_ value: [UInt8], _ type: any (Decodable & Sendable).Type) -> Bool
    ) -> ShowAssembly {
        func readable(_ part: PartOutcome, _ type: any (Decodable & Sendable).Type) -> PartOutcome {
            part.value.map { isReadable($0, type) } ?? true ? part : part.unreadable
        }
        let chart = readable(chart, Chart.self)
        guard chart.status != .failed || self.chart.status == .failed else {
            return ShowAssembly(selection, chart: chart, codes: [])
        }
        var assembly = ShowAssembly(selection, chart: chart, codes: films.map(\.code))
        for (index, film) in films.enumerated() {
            for part in FilmPart.allCases {
                guard let outcome = film[part] else { continue }
                assembly.receive(readable(outcome, part.valueType), for: Slot(index, part))
            }
        }
        return assembly
    }
}

extension PartOutcome {
    fileprivate var unreadable: PartOutcome { .failed(.unreadable, cache: cache, sender: sender) }
}

extension Failure {
    /// A part that arrived, or was stored, and does not decode.
    public static let unreadable = Failure(
        .unreadable,
        LocalizedText(
            ko: "받은 자료를 읽을 수 없습니다.", en: "A part of the answer cannot be read."),
        isRetryable: true)
}
