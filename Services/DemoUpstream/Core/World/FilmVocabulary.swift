/// The words that KOBIS uses for genres, nations, grades and techniques; these are real, only the films are invented.
enum FilmVocabulary {
    typealias ShowType = (group: String, name: String)

    static let genres = [
        "드라마", "코미디", "액션", "멜로/로맨스", "스릴러", "미스터리", "공포(호러)", "어드벤처", "범죄", "가족", "판타지", "SF",
        "서부극(웨스턴)", "사극", "애니메이션", "다큐멘터리", "전쟁", "뮤지컬", "공연", "기타",
    ]

    static let foreignNations = ["미국", "일본", "프랑스", "영국", "중국", "독일", "홍콩", "이탈리아", "스페인", "인도", "캐나다"]

    static let grades = ["전체관람가", "12세이상관람가", "15세이상관람가", "청소년관람불가"]

    /// Grades of former times, which old records still carry beside the current one.
    static let formerGrades = ["연소자관람가", "국민학생관람불가", "중학생이상관람가", "12세관람가", "15세관람가"]

    static let showTypes: [ShowType] = [
        ("2D", "디지털"), ("3D", "3D"), ("4D", "4D"), ("IMAX", "IMAX"), ("ScreenX", "ScreenX"), ("필름", "필름"),
    ]

    static let staffRoles = ["제작", "각본", "촬영", "조명", "편집", "음악", "미술", "의상", "분장", "녹음"]
}
