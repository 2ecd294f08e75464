/// The words that titles are composed of, each in Korean and English.
enum DemoWords {
    typealias Word = (korean: String, english: String)

    static let manners: [Word] = [
        ("느린", "Slow"), ("잠 못 드는", "Sleepless"), ("유리로 만든", "Glass"), ("마지막에서 두 번째", "Second to Last"),
        ("거꾸로 선", "Upside-Down"), ("은빛", "Silver"), ("녹슨", "Rusty"), ("말 없는", "Wordless"), ("북쪽의", "Northern"),
        ("종이로 접은", "Folded"), ("열두 번째", "Twelfth"), ("바퀴 달린", "Wheeled"), ("새벽 네 시의", "Four O'Clock"),
        ("수줍은", "Shy"), ("반쯤 열린", "Half-Open"), ("이름 모를", "Nameless"), ("구름 위의", "Cloudborne"), ("노란", "Yellow"),
        ("휘파람 부는", "Whistling"), ("젖지 않는", "Waterproof"), ("왼손잡이", "Left-Handed"), ("보통의", "Ordinary"),
        ("서쪽 끝의", "Westernmost"), ("접이식", "Folding"), ("하품하는", "Yawning"), ("두 번 접힌", "Twice-Folded"),
        ("비 오는 날의", "Rainy-Day"), ("초록", "Green"), ("고장 난", "Broken"), ("속삭이는", "Whispering"),
        ("바닷가", "Seaside"), ("달 뒤편의", "Far-Side"), ("심심한", "Bored"), ("서툰", "Clumsy"), ("네모난", "Square"),
        ("마흔한 번째", "Forty-First"), ("움직이는", "Moving"), ("물구나무선", "Headstanding"),
    ]

    static let things: [Word] = [
        ("우체국", "Post Office"), ("등대", "Lighthouse"), ("나침반", "Compass"), ("온실", "Greenhouse"), ("정거장", "Station"),
        ("다락방", "Attic"), ("수족관", "Aquarium"), ("보온병", "Thermos"), ("천문대", "Observatory"), ("자전거포", "Bicycle Shop"),
        ("빨래방", "Laundromat"), ("옥상", "Rooftop"), ("기상 캐스터", "Weather Caster"), ("잠수함", "Submarine"),
        ("풍차", "Windmill"), ("호루라기", "Whistle"), ("문방구", "Stationery Shop"), ("관람차", "Ferris Wheel"),
        ("만물상", "General Store"), ("양봉장", "Apiary"), ("엘리베이터", "Elevator"), ("목욕탕", "Bathhouse"),
        ("분실물 보관소", "Lost and Found"), ("편집실", "Editing Room"), ("국숫집", "Noodle House"), ("측량사", "Surveyor"),
        ("주산 학원", "Abacus School"), ("세탁선", "Laundry Boat"), ("지하 서점", "Basement Bookshop"),
        ("회전목마", "Carousel"), ("방앗간", "Mill"), ("전망대", "Lookout"), ("약국", "Pharmacy"), ("도장집", "Seal Shop"),
        ("연못", "Pond"), ("시계탑", "Clock Tower"), ("수선집", "Mending Shop"), ("라디오국", "Radio Station"),
        ("과수원", "Orchard"), ("우산꽂이", "Umbrella Stand"), ("환풍기", "Ventilator"), ("식물원", "Botanical Garden"),
        ("차고", "Garage"), ("빵 공장", "Bread Factory"), ("제빙기", "Ice Machine"), ("모래시계", "Hourglass"),
    ]

    static let matters: [Word] = [
        ("목요일", "Thursday"), ("비밀번호", "Password"), ("연대기", "Chronicle"), ("안내서", "Guidebook"), ("사용법", "Manual"),
        ("휴가", "Holiday"), ("합창단", "Choir"), ("대소동", "Commotion"), ("발명가", "Inventor"), ("두 번째 손님", "Second Guest"),
        ("긴 겨울", "Long Winter"), ("영수증", "Receipt"), ("점심시간", "Lunch Hour"), ("그림자 극장", "Shadow Theatre"),
        ("지도", "Map"), ("숨바꼭질", "Hide-and-Seek"), ("소풍", "Picnic"), ("계산법", "Arithmetic"), ("환승", "Transfer"),
        ("재고 조사", "Stocktaking"), ("예고편", "Trailer"), ("야간 근무", "Night Shift"),
    ]

    static let heroes: [Word] = [
        ("캡틴", "Captain"), ("닥터", "Doctor"), ("미드나이트", "Midnight"), ("레이디", "Lady"), ("슬로우", "Slow"),
        ("페이퍼", "Paper"), ("노던", "Northern"), ("프로페서", "Professor"), ("리틀", "Little"), ("일렉트릭", "Electric"),
        ("스위트", "Sweet"), ("올드", "Old"), ("미스터", "Mister"), ("인비저블", "Invisible"), ("세븐", "Seven"),
        ("코스믹", "Cosmic"), ("레이지", "Lazy"), ("블루", "Blue"), ("제너럴", "General"), ("원더풀", "Wonderful"),
        ("와일드", "Wild"), ("이모탈", "Immortal"),
    ]

    static let objects: [Word] = [
        ("마멀레이드", "Marmalade"), ("엄브렐라", "Umbrella"), ("컴퍼스", "Compass"), ("오차드", "Orchard"),
        ("라디에이터", "Radiator"), ("피클즈", "Pickles"), ("텔레스코프", "Telescope"), ("캘린더", "Calendar"),
        ("아코디언", "Accordion"), ("포르티시모", "Fortissimo"), ("스테이플러", "Stapler"), ("발코니", "Balcony"),
        ("터미널", "Terminal"), ("나이팅게일", "Nightingale"), ("바로미터", "Barometer"), ("카디건", "Cardigan"),
        ("우쿨렐레", "Ukulele"), ("브로콜리", "Broccoli"), ("샌드위치", "Sandwich"), ("마그넷", "Magnet"), ("캐비닛", "Cabinet"),
        ("파라솔", "Parasol"), ("트램폴린", "Trampoline"), ("크레용", "Crayon"), ("스펀지", "Sponge"), ("티스푼", "Teaspoon"),
        ("메트로놈", "Metronome"), ("도어벨", "Doorbell"), ("셔틀콕", "Shuttlecock"), ("베개", "Pillow"),
        ("토스터", "Toaster"), ("프레첼", "Pretzel"), ("보타이", "Bow Tie"), ("타자기", "Typewriter"), ("슬리퍼", "Slipper"),
        ("그라인더", "Grinder"),
    ]

    static let quests: [Word] = [
        ("라스트 페리", "The Last Ferry"), ("하버 오브 티", "Harbour of Tea"), ("세컨드 브렉퍼스트", "Second Breakfast"),
        ("롱 웨이 투 튜즈데이", "Long Way to Tuesday"), ("더 그레이트 인벤토리", "The Great Inventory"),
        ("미싱 버튼", "The Missing Button"), ("언더 더 카펫", "Under the Carpet"), ("플랫폼 제로", "Platform Zero"),
        ("사일런트 오케스트라", "Silent Orchestra"), ("더 라스트 스탬프", "The Last Stamp"),
        ("웬즈데이 얼라이언스", "Wednesday Alliance"), ("리턴 투 더 키친", "Return to the Kitchen"),
        ("노 모어 소스", "No More Sauce"), ("하프 어 미라클", "Half a Miracle"), ("더 세컨드 엘리베이터", "The Second Elevator"),
    ]
}
