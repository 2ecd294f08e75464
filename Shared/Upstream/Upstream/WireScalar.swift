/// A JSON string or number, as text: KOBIS sends "37", and sometimes 37.
package struct WireScalar: Decodable {
    let text: String

    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        do {
            text = try container.decode(String.self)
        } catch DecodingError.typeMismatch {
            text = try Self.number(in: container)
        }
    }

    private static func number(in container: any SingleValueDecodingContainer) throws -> String {
        let number = try decimal(in: container)
        // Below 2^53 every integer is exact as a Double. Decoding an integer first does not work: for a fraction,
        // Foundation's decoder throws an error of another type, without the coding path.
        guard number.magnitude >= 0x1p53 else {
            return Int64(exactly: number).map { String($0) } ?? String(number)
        }
        do {
            return String(try container.decode(Int64.self))
        } catch {
            // Outside Int64: the caller that needs an integer throws an error with the coding path.
            return String(number)
        }
    }

    private static func decimal(in container: any SingleValueDecodingContainer) throws -> Double {
        do {
            return try container.decode(Double.self)
        } catch let error as DecodingError {
            throw error
        } catch {
            // Foundation throws the same error of another type for 1e999.
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "the number is out of range")
        }
    }
}
