/// A refusal of KOBIS: HTTP 200 with `faultInfo` at the root, the code a string.
enum KobisRefusal: Sendable {
    case invalidKey
    case quotaExceeded
    case missingDate
    case malformedDate(String)
    /// The code comes from third-party documentation, the message is not recorded.
    case malformedWeek
    /// Not recorded; modelled on `missingDate`.
    case missingFilmCode
    /// Invented: a code that no client knows.
    case unknown

    var body: [UInt8] {
        let fault = OrderedJSON.object([("message", .string(message)), ("errorCode", .string(code))])
        return OrderedJSON.object([("faultInfo", fault)]).bytes
    }

    var code: String {
        switch self {
        case .invalidKey: "320010"
        case .quotaExceeded: "320011"
        case .missingDate, .missingFilmCode: "320102"
        case .malformedDate: "320103"
        case .malformedWeek: "320105"
        case .unknown: "329999"
        }
    }

    private var message: String {
        switch self {
        case .invalidKey: "유효하지않은 키값입니다."
        case .quotaExceeded: "키의 하루 이용량을 초과하였습니다."
        case .missingDate: "날짜는 필수항목입니다.[parameterName=targetDt,parameterValue=null]"
        case .malformedDate(let text):
            // The two typos are upstream's.
            "날싸형식에 맞게 입력하십시요.(YYYYMMDD)[parameterName=targetDt,parameterValue=\(text)]"
        case .malformedWeek: "주간/주말/주중 구분을 형식에 맞게 입력하십시요.[parameterName=weekGb]"
        case .unknown: "알 수 없는 오류입니다."
        case .missingFilmCode: "영화코드는 필수항목입니다.[parameterName=movieCd,parameterValue=null]"
        }
    }
}
