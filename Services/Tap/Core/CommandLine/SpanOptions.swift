import ArgumentParser
import CommandKit
import ProcessKit

/// Start and end of the observed time span.
struct SpanOptions: ParsableArguments {
    @Option(help: .words("지난 이벤트의 마지막 N줄부터 출력", "Start with the last N lines of past events."))
    var last: Int?
    @Option(
        help: .words(
            "시작 시점, 예: 2026-11-21T08:09:10Z, 5m(5분 전)",
            "Start at this time, e.g. 2026-11-21T08:09:10Z or 5m (ago).", valueName: "time"))
    var since: String?
    @Flag(help: .words("지난 이벤트만 출력하고 종료", "Print past events only, then exit."))
    var noFollow = false
    @Option(help: .words("지정한 줄 수를 출력하고 종료", "Exit after this many lines."))
    var count: Int?
    @Option(
        name: .customLong("for"),
        help: .words("지정한 시간 뒤에 종료, 예: 10s, 2m", "Exit after this time, e.g. 10s, 2m, 500ms.", valueName: "time"))
    var duration: String?
    @Option(
        help: .words(
            "지정한 시간 동안 출력이 없으면 종료", "Exit after this long without output.", valueName: "time"))
    var idle: String?

    func validate() throws {
        guard count.map({ $0 > 0 }) ?? true, last.map({ $0 >= 0 }) ?? true else {
            throw ValidationError.usage("--count는 1부터, --last는 0부터입니다.", "--count takes 1 or more, --last 0 or more.")
        }
        guard last == nil || since == nil else {
            throw ValidationError.usage(
                "--last와 --since는 함께 쓸 수 없습니다. 하나만 지정하세요.",
                "--last and --since cannot be used together. Give one of them.")
        }
        for (name, text) in [("--for", duration), ("--idle", idle)] where text != nil {
            guard text.flatMap(Duration.init(argument:)) != nil else {
                throw ValidationError.usage(
                    "\(name)에는 500ms, 10s, 2m, 1h 같은 시간을 쓰세요.",
                    "\(name) takes a length of time such as 500ms, 10s, 2m or 1h.")
            }
        }
        if let since, Duration(argument: since) == nil, RFC3339.microseconds(since) == nil {
            throw ValidationError.usage(
                "--since에는 2026-11-21T08:09:10Z 같은 시각이나 5m 같은 시간을 쓰세요.",
                "Invalid --since: use a time (2026-11-21T08:09:10Z) or a duration (5m).")
        }
    }

    /// - Parameters:
    ///   - isWholePast: begin with all past events unless an option states otherwise.
    ///   - now: in microseconds since 1970.
    func request(isWholePast: Bool, now: Int64) throws -> TapRequest {
        var request = TapRequest()
        request.isFollowing = !noFollow
        request.count = count
        request.duration = duration.flatMap(Duration.init(argument:))
        request.idle = idle.flatMap(Duration.init(argument:))
        if let last {
            request.past = last > 0 ? .last(last) : .none
        } else if let since {
            let ago = Duration(argument: since).map { now - Int64($0.wholeMicroseconds) }
            request.past = (ago ?? RFC3339.microseconds(since)).map(TapRequest.Past.since) ?? .none
        } else if isWholePast || noFollow {
            request.past = .all
        }
        return request
    }
}
