/// What stands at the root of KOBIS's answers: a fault, or else the result under its own name.
struct KobisBody<Result: KobisResult>: Decodable {
    let fault: KobisFault?
    let result: Result?
    /// There is something, and it is neither.
    let isForeign: Bool

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: RootKey.self)
        // The fault comes first: beside it a result means nothing, and need not be readable.
        fault = try container.decodeIfPresent(KobisFault.self, forKey: RootKey(stringValue: "faultInfo"))
        result =
            fault == nil
            ? try container.decodeIfPresent(Result.self, forKey: RootKey(stringValue: Result.rootName)) : nil
        let names = Set(container.allKeys.map(\.stringValue))
        isForeign = !names.isEmpty && names.isDisjoint(with: ["faultInfo", Result.rootName])
    }
}

/// The part of an answer that holds what was asked for.
protocol KobisResult: Decodable {
    static var rootName: String { get }
}

private struct RootKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) {
        self.stringValue = stringValue
    }

    init?(intValue: Int) {
        nil
    }
}
