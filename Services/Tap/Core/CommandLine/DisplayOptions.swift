public import ArgumentParser
import CommandKit
import Contracts
import EventLog
import EventText
import Localization
import ProcessKit
import TerminalText

/// Options for the selection and the form of the output.
struct DisplayOptions: ParsableArguments {
    @Option(
        help: .words(
            "서비스 또는 워커(예: detail-fetcher/2)로 필터링. 반복 가능",
            "Filter by service or worker, e.g. detail-fetcher/2. Repeatable."),
        completion: .list(ServiceName.all + ServiceName.optional))
    var service: [String] = []
    @Option(
        help: .words(
            "이벤트 종류로 필터링(--match에서는 요청 종류). *는 임의의 문자열. 반복 가능",
            "Filter by kind of event (with --match: of request); * matches any text. Repeatable."),
        completion: .list(KnownKinds.all))
    var kind: [String] = []
    @Option(
        help: .words("제외할 종류. 반복 가능", "Exclude this kind. Repeatable."), completion: .list(KnownKinds.all))
    var exclude: [String] = []
    @Option(
        help: .words(
            "질의의 전체 메시지를 트리로 출력(ID의 앞자리)", "Show one query as a tree, by the first digits of its id.", valueName: "id"))
    var query: String?
    @Flag(
        help: .words(
            "요청과 응답을 한 줄로 묶어 소요 시간과 함께 출력", "Pair each request with its reply and print the time between."))
    var match = false
    @Flag(
        help: .words(
            "처리량, 오류, 지연 시간, 캐시 적중률 통계 출력",
            "Print throughput, errors, latencies and cache hits: a live table, or one at the end when piped."))
    var stats = false
    @Flag(help: .words("JSON 출력(한 줄에 하나)", "Print JSON, one object per line."))
    var json = false
    @Option(
        help: .words(
            "시각 형식: local, relative(첫 이벤트 기준), utc", "Time format: local, relative (to the first event) or utc."))
    var time = EventFormat.Time.local

    func validate() throws {
        guard !(match && stats) else {
            throw ValidationError.usage(
                "--match와 --stats는 함께 쓸 수 없습니다. 하나만 지정하세요.",
                "--match and --stats cannot be used together. Give one of them.")
        }
        guard (kind + exclude).allSatisfy({ NamePattern($0) != nil }) else {
            throw ValidationError.usage(
                "--kind와 --exclude에는 chart.daily.answered나 chart.* 같은 종류를 쓰세요.",
                "--kind and --exclude take a kind such as chart.daily.answered, or chart.*.")
        }
        guard service.allSatisfy({ !$0.isEmpty }) else {
            throw ValidationError.usage(
                "--service에는 detail-fetcher 같은 서비스나 detail-fetcher/2 같은 인스턴스를 쓰세요.",
                "--service takes a service such as detail-fetcher, or an instance such as detail-fetcher/2.")
        }
        if let query {
            guard Conversation.isPrefix(query.lowercased()) else {
                throw ValidationError.usage(
                    "--query에는 tap에 표시된 질의 ID의 앞 4~16자리(5aefbff7)를 쓰세요.",
                    "--query takes the first 4 to 16 digits of a query's id, as tap shows it: 5aefbff7.")
            }
            guard match || stats || (kind + exclude + service).isEmpty else {
                throw ValidationError.usage(
                    "질의는 전체를 보입니다. --query와 --service, --kind, --exclude는 --match가 있을 때만 함께 씁니다.",
                    "A query is shown as a whole: --query takes --service, --kind and --exclude only with --match.")
            }
        }
    }

    func view(_ language: Language, _ terminal: Terminal) -> any TapView {
        var selection = EventSelection()
        selection.services = service
        selection.kinds = kind.compactMap(NamePattern.init)
        selection.excludedKinds = exclude.compactMap(NamePattern.init)
        selection.query = query?.lowercased()
        let format = EventFormat(language, style: terminal.style, time: time) { terminal.size?.columns }
        if match { return ExchangeView(selection, isJSON: json, format) }
        if stats { return StatisticsView(selection, isJSON: json, language, terminal: terminal) }
        if let query { return ConversationView(query.lowercased(), isJSON: json, format) }
        // The beginning of a tap is of no interest to most readers; a program expects gapless numbers.
        if !json, kind.isEmpty, let own = NamePattern(EventKind.tapJoined.rawValue) {
            selection.excludedKinds.append(own)
        }
        return EventView(selection, isJSON: json, format)
    }

    /// A hint for each selected kind that none of our programs uses: it may be misspelt.
    var hints: [String] {
        let known = KnownKinds.all
        return (kind + exclude).compactMap { kind in
            guard let pattern = NamePattern(kind), !known.contains(where: pattern.matches) else { return nil }
            let near = Suggestion.closest(to: kind, among: known) ?? Self.nearestGroup(to: kind)
            return say(
                "'\(kind.printable)' 이벤트 종류는 없습니다.\(near.map { " '\($0)'인가요?" } ?? "")",
                "Unknown event kind '\(kind.printable)'.\(near.map { " Did you mean '\($0)'?" } ?? "")"
            )
        }
    }
}

extension DisplayOptions {
    /// The pattern of the kinds whose first word is near to that of the text: "chart.*" for "chrt.answered".
    private static func nearestGroup(to text: String) -> String? {
        let first = { (kind: String) in String(kind.prefix { $0 != "." }) }
        let groups = Set(KnownKinds.all.map(first))
        return Suggestion.closest(to: first(text), among: groups.sorted()).map { "\($0).*" }
    }
}

extension EventFormat.Time: ExpressibleByArgument {}

/// The kinds of requests and events of our programs.
private enum KnownKinds {
    static let all: [String] = {
        let requests =
            ChartRequest.kinds + [
                DetailRequest.kind, FilmSearchRequest.kind, PosterRequest.kind, PosterImageRequest.kind,
                CachePeekRequest.kind, CacheGetRequest.kind, CachePutRequest.kind, CacheRenewRequest.kind,
                CacheReleaseRequest.kind, CachePinRequest.kind, CacheUnpinRequest.kind, CacheStatsRequest.kind,
                CachePurgeRequest.kind, CacheClearRequest.kind, QuotaListRequest.kind, QuotaTakeRequest.kind,
            ]
        return EventKind.allCases.map(\.rawValue) + requests + requests.map(EventKind.answered)
    }()
}
