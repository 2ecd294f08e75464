/// The regions by which KOBIS divides the country's cinemas, in the order of its code list.
///
/// The list has no English names (`engNm` is empty); the names here are the official ones.
public enum Region: String, Codable, Sendable, Hashable, CaseIterable {
    case seoul, gyeonggi, gangwon, chungbuk, chungnam, gyeongbuk, gyeongnam, jeonbuk, jeonnam, jeju
    case busan, daegu, daejeon, ulsan, incheon, gwangju, sejong

    /// The region with a name in Korean or English, short or full ("서울", "서울시", "Seoul"), or of KOBIS's code.
    public init?(named name: String) {
        var wanted = name.nfc.lowercased().filter { !$0.isWhitespace && $0 != "-" }
        // The official names of today: "서울특별시", "강원특별자치도".
        for ending in ["특별자치시", "특별자치도", "특별시", "광역시"] where wanted.hasSuffix(ending) {
            wanted.removeLast(ending.count)
        }
        guard let found = Self.allCases.first(where: { $0.names.contains(wanted) }) else { return nil }
        self = found
    }

    /// KOBIS's `wideAreaCd`.
    public var code: String { codeAndNames.code }

    /// The name in KOBIS's code list: "서울시", "충청북도".
    public var korean: String { codeAndNames.full }

    public var english: String { rawValue.prefix(1).uppercased() + rawValue.dropFirst() }

    private var names: [String] {
        let (code, full, short) = codeAndNames
        return [rawValue, code, full, short]
    }

    private var codeAndNames: (code: String, full: String, short: String) {
        switch self {
        case .seoul: ("0105001", "서울시", "서울")
        case .gyeonggi: ("0105002", "경기도", "경기")
        case .gangwon: ("0105003", "강원도", "강원")
        case .chungbuk: ("0105004", "충청북도", "충북")
        case .chungnam: ("0105005", "충청남도", "충남")
        case .gyeongbuk: ("0105006", "경상북도", "경북")
        case .gyeongnam: ("0105007", "경상남도", "경남")
        case .jeonbuk: ("0105008", "전라북도", "전북")
        case .jeonnam: ("0105009", "전라남도", "전남")
        case .jeju: ("0105010", "제주도", "제주")
        case .busan: ("0105011", "부산시", "부산")
        case .daegu: ("0105012", "대구시", "대구")
        case .daejeon: ("0105013", "대전시", "대전")
        case .ulsan: ("0105014", "울산시", "울산")
        case .incheon: ("0105015", "인천시", "인천")
        case .gwangju: ("0105016", "광주시", "광주")
        case .sejong: ("0105017", "세종시", "세종")
        }
    }
}
