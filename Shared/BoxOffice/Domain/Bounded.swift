/// The allowed range of a whole number.
public protocol NumberBounds: Sendable {
    static var allowed: ClosedRange<Int> { get }
}

/// A whole number within bounds: a number outside them can neither be decoded nor created.
///
/// Messages, files and other programs may contain any number. A value of this type can be added, subtracted and
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
    /// A literal outside the bounds is a programming error.
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

/// A year of a film: from before the first film to far in the future.
public typealias Year = Bounded<YearBounds>
public enum YearBounds: NumberBounds {
    public static let allowed = 1880...2200
}

extension Day {
    /// Nil for a day outside the range of years.
    public var filmYear: Year? { Year(components.year) }
}

/// A page of search results, from 1.
public typealias PageNumber = Bounded<PageNumberBounds>
public enum PageNumberBounds: NumberBounds {
    public static let allowed = 1...1_000_000
}

/// The number of films on a page of search results.
public typealias PageSize = Bounded<PageSizeBounds>
public enum PageSizeBounds: NumberBounds {
    public static let allowed = 1...100
}

/// The number of films that match a search.
public typealias FilmCount = Bounded<FilmCountBounds>
public enum FilmCountBounds: NumberBounds {
    public static let allowed = 0...1_000_000_000
}
