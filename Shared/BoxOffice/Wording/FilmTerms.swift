/// English for the fixed vocabularies of KOBIS: ratings, genres, nations, types and production states.
enum FilmTerms {
    /// Nil for a term that is not in the table.
    static func english(_ korean: String) -> String? { table[korean] }

    private static let table: [String: String] = ratings.merging(genres) { first, _ in first }
        .merging(nations) { first, _ in first }.merging(states) { first, _ in first }

    private static let ratings = [
        "전체관람가": "All ages", "12세이상관람가": "12+", "15세이상관람가": "15+", "청소년관람불가": "18+",
        "제한상영가": "Restricted screening",
        // Of former times.
        "연소자관람가": "All ages", "연소자관람불가": "18+", "미성년자관람불가": "18+", "18세관람가": "18+",
        "12세관람가": "12+", "15세관람가": "15+", "중학생이상관람가": "Middle school and up",
        "고등학생이상관람가": "High school and up", "국민학생관람불가": "No primary school pupils",
        "중학생관람불가": "No middle school pupils", "모든 관람객이 관람할 수 있는 등급": "All ages",
        "12세 미만인 자는 관람할 수 없는 등급": "12+", "15세 미만인 자는 관람할 수 없는 등급": "15+",
        "18세 미만인 자는 관람할 수 없는 등급": "18+",
    ]

    private static let genres = [
        "드라마": "Drama", "코미디": "Comedy", "액션": "Action", "멜로/로맨스": "Romance", "스릴러": "Thriller",
        "미스터리": "Mystery", "공포(호러)": "Horror", "어드벤처": "Adventure", "범죄": "Crime", "가족": "Family",
        "판타지": "Fantasy", "SF": "Science fiction", "서부극(웨스턴)": "Western", "사극": "Period drama",
        "애니메이션": "Animation", "다큐멘터리": "Documentary", "전쟁": "War", "뮤지컬": "Musical",
        "성인물(에로)": "Adult", "공연": "Performance", "기타": "Other",
    ]

    private static let nations = [
        "한국": "South Korea", "북한": "North Korea", "미국": "United States", "일본": "Japan", "중국": "China",
        "홍콩": "Hong Kong", "대만": "Taiwan", "마카오": "Macao", "몽골": "Mongolia", "태국": "Thailand", "베트남": "Vietnam",
        "필리핀": "Philippines", "인도네시아": "Indonesia", "말레이시아": "Malaysia", "싱가포르": "Singapore",
        "캄보디아": "Cambodia", "라오스": "Laos", "미얀마": "Myanmar", "인도": "India", "네팔": "Nepal", "부탄": "Bhutan",
        "스리랑카": "Sri Lanka", "방글라데시": "Bangladesh", "파키스탄": "Pakistan", "아프가니스탄": "Afghanistan",
        "카자흐스탄": "Kazakhstan", "우즈베키스탄": "Uzbekistan", "키르기스스탄": "Kyrgyzstan", "타지키스탄": "Tajikistan",
        "이란": "Iran", "이라크": "Iraq", "이스라엘": "Israel", "팔레스타인": "Palestine", "레바논": "Lebanon",
        "요르단": "Jordan", "시리아": "Syria", "사우디아라비아": "Saudi Arabia", "카타르": "Qatar",
        "아랍에미리트": "United Arab Emirates", "터키": "Türkiye", "튀르키예": "Türkiye", "조지아": "Georgia",
        "아르메니아": "Armenia", "영국": "United Kingdom", "아일랜드": "Ireland", "프랑스": "France", "독일": "Germany",
        "서독": "West Germany", "이탈리아": "Italy", "스페인": "Spain", "포르투갈": "Portugal", "네덜란드": "Netherlands",
        "벨기에": "Belgium", "룩셈부르크": "Luxembourg", "스위스": "Switzerland", "오스트리아": "Austria", "덴마크": "Denmark",
        "스웨덴": "Sweden", "노르웨이": "Norway", "핀란드": "Finland", "아이슬란드": "Iceland", "폴란드": "Poland",
        "체코": "Czechia", "체코슬로바키아": "Czechoslovakia", "슬로바키아": "Slovakia", "헝가리": "Hungary",
        "루마니아": "Romania", "불가리아": "Bulgaria", "그리스": "Greece", "세르비아": "Serbia", "크로아티아": "Croatia",
        "슬로베니아": "Slovenia", "보스니아": "Bosnia and Herzegovina", "유고슬라비아": "Yugoslavia",
        "마케도니아": "North Macedonia", "알바니아": "Albania", "코소보": "Kosovo", "몬테네그로": "Montenegro",
        "에스토니아": "Estonia", "라트비아": "Latvia", "리투아니아": "Lithuania", "우크라이나": "Ukraine",
        "벨라루스": "Belarus", "러시아": "Russia", "소련": "Soviet Union", "몰타": "Malta", "키프로스": "Cyprus",
        "캐나다": "Canada", "멕시코": "Mexico", "과테말라": "Guatemala", "쿠바": "Cuba", "도미니카공화국": "Dominican Republic",
        "코스타리카": "Costa Rica", "콜롬비아": "Colombia", "베네수엘라": "Venezuela", "에콰도르": "Ecuador",
        "페루": "Peru", "볼리비아": "Bolivia", "브라질": "Brazil", "파라과이": "Paraguay", "우루과이": "Uruguay",
        "아르헨티나": "Argentina", "칠레": "Chile", "이집트": "Egypt", "모로코": "Morocco", "튀니지": "Tunisia",
        "알제리": "Algeria", "세네갈": "Senegal", "나이지리아": "Nigeria", "케냐": "Kenya", "에티오피아": "Ethiopia",
        "르완다": "Rwanda", "차드": "Chad", "남아프리카공화국": "South Africa", "호주": "Australia", "뉴질랜드": "New Zealand",
    ]

    private static let states = [
        "장편": "Feature", "단편": "Short", "옴니버스": "Omnibus", "온라인전용": "Online only", "개봉": "Released",
        "개봉예정": "Upcoming", "개봉준비": "In preparation", "후반작업": "In post-production", "촬영진행": "In production",
    ]
}
