import Contracts
import Localization
import Synchronization
import TerminalText
import Testing

@testable import Assembly
@testable import GatewayCore

@Suite(.timeLimit(.minutes(1))) struct ProgressTests {
    private func awaited(_ change: (inout AwaitedParts) -> Void) -> AwaitedParts {
        var parts = AwaitedParts()
        change(&parts)
        return parts
    }

    @Test func `awaited parts are named, and counted when there are several`() {
        #expect(awaited { _ in }.text(.ko) == nil)
        #expect(awaited { $0.begin(.chart) }.text(.ko) == "기다리는 중: 차트")
        let several = awaited { parts in
            for _ in 1...10 { parts.begin(.film(.detail)) }
            for _ in 1...3 { parts.end(.film(.detail)) }
            parts.begin(.film(.poster))
            parts.begin(.chart)
            parts.end(.chart)
        }
        #expect(several.text(.ko) == "기다리는 중: 상세 3/10, 포스터")
        #expect(several.text(.en) == "Waiting for details 3/10, poster")
    }

    @Test func `each request for a part has a kind`() {
        let kinds = ChartRequest.kinds + [DetailRequest.kind, PosterRequest.kind, PosterImageRequest.kind]
        #expect(kinds.allSatisfy { AwaitedParts.Kind(requestKind: $0) != nil })
        #expect(AwaitedParts.Kind(requestKind: CachePeekRequest.kind) == nil)
    }

    @Test func `the line is rewritten in place, fits the terminal, and is erased at the end`() async {
        let progress = QueryProgress()
        let written = Mutex<[String]>([])
        for _ in 1...20 { progress.begin(.film(.detail)) }
        progress.finish()
        await ProgressLine(language: .en, columns: 15, delay: .zero).show(progress.updates) { text in
            written.withLock { $0.append(text) }
        }
        #expect(written.withLock(\.self) == ["\r\u{1B}[KWaiting for d…", "\r\u{1B}[K"])
    }

    @Test func `a present answer does not wait for the line`() async {
        let progress = QueryProgress()
        progress.begin(.chart)
        func answerBesideLine() async -> Bool {
            let line = ProgressLine(language: .ko, columns: 80, delay: .seconds(3600))
            async let _: Void = line.show(progress.updates) { _ in Issue.record("a line was drawn") }
            return true
        }
        #expect(await answerBesideLine())
    }

    @Test func `a quick answer shows no line`() async {
        let progress = QueryProgress()
        progress.begin(.chart)
        let showing = Task {
            let written = Mutex<[String]>([])
            await ProgressLine(language: .ko, columns: 80, delay: .seconds(3600)).show(progress.updates) { text in
                written.withLock { $0.append(text) }
            }
            return written.withLock(\.self)
        }
        showing.cancel()
        #expect(await showing.value.isEmpty)
    }
}
