internal import Domain

/// The request for a list of codes.
struct KobisCodeList: KobisEndpoint {
    typealias Answer = [CodeListEntry]

    /// The parent code of the listed codes.
    let parent: String

    var path: String { "code/searchCodeList.json" }

    var query: [(name: String, value: String)] { [("comCode", parent)] }

    func answer(from result: CodeListResult?, in response: UpstreamResponse) throws -> [CodeListEntry] {
        guard let result else {
            throw response.malformed(
                "\(KobisClient.upstream) answered without \(CodeListResult.rootName).", isRetryable: false)
        }
        return result.entries
    }
}

/// `codes`: an array of rows, without an enclosing object.
struct CodeListResult: KobisResult {
    static let rootName = "codes"

    let entries: [CodeListEntry]

    init(from decoder: any Decoder) throws {
        entries = try decoder.singleValueContainer().decode([CodeRow].self).map(\.entry)
    }
}

private struct CodeRow: Decodable {
    let entry: CodeListEntry

    private enum CodingKeys: CodingKey {
        case fullCd, korNm, engNm
    }

    init(from decoder: any Decoder) throws {
        let row = try decoder.container(keyedBy: CodingKeys.self)
        entry = CodeListEntry(
            code: try row.text(.fullCd), name: try row.text(.korNm), nameEnglish: try row.textIfKnown(.engNm))
    }
}
