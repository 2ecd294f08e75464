/// A string or a number of JSON, as text: KOBIS sends "37", and now and then 37.
struct WireScalar: Decodable {
    let text: String

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        do {
            text = try container.decode(String.self)
        } catch DecodingError.typeMismatch {
            text = try Self.number(in: container)
        }
    }

    private static func number(in container: any SingleValueDecodingContainer) throws -> String {
        let number = try decimal(in: container)
        // Up to here every whole number is exact. Asking for an integer first would not do: for a number that is none,
        // Foundation's decoder throws an error of its own kind and forgets the place.
        guard number.magnitude >= 0x1p53 else {
            return Int64(exactly: number).map { String($0) } ?? String(number)
        }
        do {
            return String(try container.decode(Int64.self))
        } catch {
            // Beyond any integer: whoever wants one says so, with the place.
            return String(number)
        }
    }

    private static func decimal(in container: any SingleValueDecodingContainer) throws -> Double {
        do {
            return try container.decode(Double.self)
        } catch let error as DecodingError {
            throw error
        } catch {
            // Foundation's own kind of error again, for 1e999.
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "the number is out of range")
        }
    }
}
