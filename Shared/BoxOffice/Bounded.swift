/// The whole numbers that one use of them allows.
public protocol NumberBounds: Sendable {
    static var allowed: ClosedRange<Int> { get }
}

/// A whole number within its bounds: one outside them neither decodes nor can be made.
///
/// Messages, files and other programs may hold any number. What is decoded into such a type can be added, subtracted and
/// multiplied by the constants of this program without overflow.
public struct Bounded<Bounds: NumberBounds>: Hashable, Comparable, Sendable {
    public let value: Int

    /// Nil outside the bounds.
    public init?(_ value: Int) {
        guard Bounds.allowed.contains(value) else { return nil }
        self.value = value
    }

    /// The nearest number within the bounds.
    public init(clamping value: Int) {
        self.value = min(max(Bounds.allowed.lowerBound, value), Bounds.allowed.upperBound)
    }

    public static func < (left: Bounded, right: Bounded) -> Bool { left.value < right.value }
}

extension Bounded: CustomStringConvertible {
    public var description: String { String(value) }
}

extension Bounded: ExpressibleByIntegerLiteral {
    /// A literal outside the bounds is a mistake of the program.
    public init(integerLiteral value: Int) {
        precondition(Bounds.allowed.contains(value), "\(value) is outside \(Bounds.allowed)")
        self.value = value
    }
}

extension Bounded: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let number = try container.decode(Int.self)
        guard let bounded = Bounded(number) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "\(number) is outside \(Bounds.allowed)")
        }
        self = bounded
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(value)
    }
}

/// A year of a film: from before the first of them to one that nobody plans for.
public typealias Year = Bounded<YearBounds>
public enum YearBounds: NumberBounds {
    public static let allowed = 1880...2200
}

extension Day {
    /// Nil for a day in a year that no film has.
    public var filmYear: Year? { Year(components.year) }
}

/// A page of search results, from 1.
public typealias PageNumber = Bounded<PageNumberBounds>
public enum PageNumberBounds: NumberBounds {
    public static let allowed = 1...1_000_000
}

/// How many films a page of search results holds.
public typealias PageSize = Bounded<PageSizeBounds>
public enum PageSizeBounds: NumberBounds {
    public static let allowed = 1...100
}

/// How many films match a search.
public typealias FilmCount = Bounded<FilmCountBounds>
public enum FilmCountBounds: NumberBounds {
    public static let allowed = 0...1_000_000_000
}
