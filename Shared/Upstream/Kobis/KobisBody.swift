internal import Upstream

/// The root of a KOBIS answer: a fault, or the result under its own name.
struct KobisBody<Result: KobisResult>: Decodable {
    let fault: KobisFault?
    let result: Result?
    /// The root has members, but neither a fault nor the result.
    let isForeign: Bool

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: RootKey.self)
        // With a fault, the result has no meaning and may be unreadable.
        fault = try container.decodeIfPresent(KobisFault.self, forKey: RootKey(stringValue: "faultInfo"))
        result =
            fault == nil
            ? try container.decodeIfPresent(Result.self, forKey: RootKey(stringValue: Result.rootName)) : nil
        let names = Set(container.allKeys.map(\.stringValue))
        isForeign = !names.isEmpty && names.isDisjoint(with: ["faultInfo", Result.rootName])
    }
}

/// The result part of an answer.
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
