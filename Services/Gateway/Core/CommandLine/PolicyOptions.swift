import ArgumentParser
import Assembly
import CommandKit
import ProcessKit

/// Which answers are acceptable: their age, completeness and cost.
struct PolicyOptions: ParsableArguments {
    @Flag(
        help: .words(
            "캐시가 유효해도 다시 가져옴", "Fetch again even if the cached data is fresh."))
    var refresh = false

    @Flag(
        help: .words(
            "캐시만 사용(만료된 데이터도 포함하고 만료로 표시)",
            "Use cached data only, however old."))
    var offline = false

    @Option(
        help: .words(
            "만료 후 허용할 시간, 예: 30m, 2h (기본값: 제한 없음)",
            "Accept stale parts that expired at most this long ago, e.g. 30m (default: no limit).",
            valueName: "time"))
    var maxStale: String?

    @Flag(
        help: .words(
            "만료된 데이터를 사용하지 않음(--max-stale 0과 같음)", "Reject stale parts (same as --max-stale 0)."))
    var noStale = false

    @Option(
        help: .words(
            "만료된 지 이 시간 이내의 데이터는 즉시 응답하고\n백그라운드에서 갱신 (기본값:\n$BOXOFFICE_STALE_WHILE_REVALIDATE)",
            "Serve parts that expired at most this long ago immediately; refresh them in the background "
                + "(default: $BOXOFFICE_STALE_WHILE_REVALIDATE seconds).", valueName: "time"))
    var staleWhileRevalidate: String?

    @Flag(
        help: .words(
            "누락되거나 만료된 부분이 있으면 종료 코드 75로 종료", "Exit with 75 if any part is missing or stale."))
    var strict = false

    func validate() throws {
        guard !(refresh && offline) else {
            throw ValidationError.usage(
                "--refresh와 --offline은 함께 쓸 수 없습니다. 하나만 지정하세요.",
                "--refresh and --offline cannot be used together. Give one of them.")
        }
        guard maxStale == nil || !noStale else {
            throw ValidationError.usage(
                "--max-stale과 --no-stale은 함께 쓸 수 없습니다. 하나만 지정하세요.",
                "--max-stale and --no-stale cannot be used together. Give one of them.")
        }
        for (name, text) in [("--max-stale", maxStale), ("--stale-while-revalidate", staleWhileRevalidate)] {
            guard text.map({ Duration(argument: $0) != nil }) ?? true else {
                throw ValidationError.usage(
                    "\(name)에는 90s, 30m, 2h 같은 시간을 1년까지 쓰세요.",
                    "\(name) takes a length of time such as 90s, 30m or 2h, up to a year.")
            }
        }
    }

    func policy(_ environment: Environment) throws -> AnswerPolicy {
        let seconds = try environment.number("BOXOFFICE_STALE_WHILE_REVALIDATE", default: 0, in: 0...31_536_000)
        return AnswerPolicy(
            isRefresh: refresh, isOffline: offline,
            maxStale: noStale ? .zero : maxStale.flatMap { Duration(argument: $0) },
            staleWhileRevalidate: staleWhileRevalidate.flatMap { Duration(argument: $0) } ?? .seconds(seconds))
    }
}
