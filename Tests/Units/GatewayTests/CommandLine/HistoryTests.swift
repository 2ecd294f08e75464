import Domain
import TestSupport
import Testing

@testable import GatewayCore

/// Charts as they were known. The clock is at 2026-01-01 09:00 in Seoul, and each test moves it on.
@Suite(.timeLimit(.minutes(1)), .scene(), .serialized) struct HistoryTests {
    let scene: GatewayScene

    init() throws {
        scene = try GatewayScene.shared
    }

    @Test func `each edition of a chart is kept, with what changed, and can be shown as it was`() async throws {
        let columns = "--format csv --fields rank,code,audience,audienceTotal"
        let early = try await scene.upstream.withoutCorrections {
            await scene.answered("chart 2025-12-20 --refresh \(columns)")
        }
        await scene.answered("history 2025-12-20")
        let moment = "2026-01-01T09:00"
        scene.stack.ahead.advance(3600)
        let late = await scene.answered("chart 2025-12-20 --refresh \(columns)")
        #expect(early.output != late.output)

        var history = await scene.answered("history 2025-12-20 --lang en")
        var moments: [String] = []
        // The archive learns of what others fetch after they have it.
        while moments.count < 2 {
            try Task.checkCancellation()
            history = await scene.answered("history 2025-12-20 --lang en")
            moments = history.lines.filter { $0.hasPrefix("2026-01-01 ") }
        }
        // What is seen through the cache counts as a second older, since ages are whole seconds.
        #expect(moments == ["2026-01-01 08:59", "2026-01-01 09:59"], "\(history)")
        #expect(history.lines.contains("  first seen, 10 films"))
        #expect(history.lines.contains { $0.contains(": admissions +") && $0.contains("sales +") })

        let then = await scene.answered("chart 2025-12-20 --as-of \(moment) \(columns)")
        #expect(then.output == early.output)
        let shown = await scene.answered("show 2025-12-20 --as-of \(moment) \(columns)")
        #expect(shown.output == early.output)
        let now = await scene.answered("chart 2025-12-20 --as-of 2026-01-01T23:00 \(columns)")
        #expect(now.output == late.output)
        let range = await scene.answered("chart 2025-12-20..2025-12-20 --as-of \(moment) \(columns)")
        #expect(range.output == early.output)
    }

    @Test func `what was not known then is not shown, and cannot be fetched`() async throws {
        await scene.answered("chart 2025-11-11")
        let calls = try await scene.upstream.calls {
            let before = await scene.gateway("chart 2025-11-11 --as-of 2025-11-12T08:00 --lang en")
            #expect(before.status == 66 && before.output.isEmpty, "\(before)")
            #expect(before.errors.contains("had not been archived at that time."))
            let range = await scene.gateway("chart 2025-11-11..2025-11-12 --as-of 2025-11-12T08:00 --lang en")
            #expect(range.status == 66 && range.errors.hasPrefix("gateway: Showing 0 of 2 charts.\n"), "\(range)")
        }
        #expect(calls.isEmpty)
    }

    @Test func `a week without a day is the last one that has begun`() async {
        // Yesterday is a Wednesday.
        let weekend = await scene.answered("history --weekend --lang en")
        #expect(weekend.lines.first?.contains("2025-12-26") == true, "\(weekend)")
        let fill = await scene.answered("archive fill 2025-12-22..2025-12-31 --weekend --dry-run --lang en")
        #expect(
            fill.output.contains(" charts, 0 missing") || fill.output.hasPrefix("The chart is archived."), "\(fill)")
        let future = await scene.gateway("history 2025-12-31 --weekend --lang en")
        #expect(future.status == 66 && future.errors.contains("The archive has no chart of 2026-01-02..2026-01-04."))
        await scene.answered("history 2003-11-11 --weekly")
    }

    @Test(arguments: [
        ("chart 2025-11-11 --as-of yesterday", "--as-of takes a moment"),
        ("show 2025-11-11 --as-of 2025-11-11T24:00", "--as-of takes a moment"),
        ("chart 2025-11-11 --as-of 2025-11-12 --area 서울", "without --as-of"),
        ("history 2002-01-01", "2003-11-11"),
    ])
    func `an impossible moment or day is refused`(line: String, reason: String) async {
        let printed = await scene.gateway("\(line) --lang en")
        #expect(printed.status == 64 && printed.output.isEmpty && printed.errors.contains(reason), "\(printed)")
    }
}
