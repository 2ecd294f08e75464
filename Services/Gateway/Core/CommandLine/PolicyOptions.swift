import ArgumentParser
import Assembly
import CommandKit
import ProcessKit

/// Which answers are acceptable: their age, completeness and cost.
struct PolicyOptions: ParsableArguments {
    @Flag(
        help: .words(
            "새것이 저장되어 있어도 업스트림에 다시 물음.", "Ask the upstream even for what is cached and fresh."))
    var refresh = false

    @Flag(
        help: .words(
            "캐시에만 물음. 저장된 것을 오래되었어도 표시하여 보임.",
            "Read only the cache: what is stored, however old, labelled."))
    var offline = false

    @Option(
        help: .words(
            "새것이 없을 때 쓸 오래된 것: 2h까지. 기본값: 모두.",
            "How long past its freshness a part may be when there is no fresh one, as 30m or 2h; default: however long.",
            valueName: "time"))
    var maxStale: String?

    @Flag(
        help: .words(
            "유효 기간이 지난 것은 쓰지 않음. --max-stale 0과 같음.", "Nothing past its freshness, as --max-stale 0."))
    var noStale = false

    @Option(
        help: .words(
            "이만큼 지난 것까지 새로 받으며 바로 답함. 기본값: $BOXOFFICE_STALE_WHILE_REVALIDATE초, 없으면 0.",
            "For how long past its freshness a part is answered at once while it is fetched anew; default: "
                + "$BOXOFFICE_STALE_WHILE_REVALIDATE seconds, else 0.", valueName: "time"))
    var staleWhileRevalidate: String?

    @Flag(
        help: .words(
            "모든 부분이 새것으로 다 있지 않으면 75로 끝남.", "End with 75 unless every part is there and fresh."))
    var strict = false

    func validate() throws {
        guard !(refresh && offline) else {
            throw ValidationError.usage(
                "--refresh와 --offline은 함께 쓸 수 없습니다.", "--refresh and --offline exclude each other.")
        }
        guard maxStale == nil || !noStale else {
            throw ValidationError.usage(
                "--max-stale과 --no-stale은 함께 쓸 수 없습니다.", "--max-stale and --no-stale exclude each other.")
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
