import ArgumentParser
import ProcessKit
import TapCore

/// Start and end of the observed time span.
struct SpanOptions: ParsableArguments {
    @Option(help: "Begin with the last so many lines of the past.")
    var last: Int?
    @Option(help: ArgumentHelp("Begin at a moment (2026-11-21T08:09:10Z), or so long ago (5m).", valueName: "time"))
    var since: String?
    @Flag(help: "End after the past.")
    var noFollow = false
    @Option(help: "End after so many lines.")
    var count: Int?
    @Option(name: .customLong("for"), help: ArgumentHelp("End after so long: 10s, 2m, 500ms.", valueName: "time"))
    var duration: String?
    @Option(help: ArgumentHelp("End when nothing was shown for so long.", valueName: "time"))
    var idle: String?

    func validate() throws {
        guard count.map({ $0 > 0 }) ?? true, last.map({ $0 >= 0 }) ?? true else {
            throw ValidationError("--count takes 1 or more, --last 0 or more.")
        }
        guard last == nil || since == nil else { throw ValidationError("--last and --since exclude each other.") }
        for (name, text) in [("--for", duration), ("--idle", idle)] where text != nil {
            guard text.flatMap(Duration.init(argument:)) != nil else {
                throw ValidationError("\(name) takes a length of time such as 500ms, 10s, 2m or 1h.")
            }
        }
        if let since, Duration(argument: since) == nil, RFC3339.microseconds(since) == nil {
            throw ValidationError(
                "--since takes a moment such as 2026-11-21T08:09:10Z, or a length of time such as 5m.")
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
