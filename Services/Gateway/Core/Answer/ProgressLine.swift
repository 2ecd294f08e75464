import Assembly
import Localization
import TerminalText
import Wording

/// One line that states what is awaited: it appears only when an answer takes noticeably long, is rewritten in place
/// and is erased at the end.
struct ProgressLine: Sendable {
    private static let clearing = "\r\u{1B}[K"

    private let language: Language
    private let columns: Int
    private let width: TextWidth
    private let delay: Duration

    /// - Parameters:
    ///   - columns: columns of the terminal.
    ///   - delay: how long an answer may take before the line appears.
    init(
        language: Language, columns: Int, width: TextWidth = .narrow, delay: Duration = GatewayTiming.progressDelay
    ) {
        self.language = language
        self.columns = columns
        self.width = width
        self.delay = delay
    }

    /// Shows each state until the sequence ends or the task is cancelled.
    ///
    /// - Parameter write: writes text to the terminal, without a line end.
    func show(_ updates: AsyncStream<AwaitedParts>, write: (String) -> Void) async {
        guard (try? await Task.sleep(for: delay)) != nil else { return }
        var isDrawn = false
        for await parts in updates {
            guard let text = parts.text(language) else { continue }
            // The last column stays empty: some terminals wrap a full line.
            write(Self.clearing + width.prefix(text, columns: max(1, columns - 1)))
            isDrawn = true
        }
        if isDrawn { write(Self.clearing) }
    }
}

extension AwaitedParts {
    /// The awaited parts, as "details 3/10, posters 5/10"; nil when there are none.
    func text(_ language: Language) -> String? {
        guard !open.isEmpty else { return nil }
        let wording = PartWording(language: language)
        let words = open.map { kind, count in
            let name = name(kind, wording)
            return count.asked == 1 ? name : "\(language(name, name + "s")) \(count.ended)/\(count.asked)"
        }
        return language("기다리는 중: ", "Waiting for ") + words.joined(separator: ", ")
    }

    private func name(_ kind: Kind, _ wording: PartWording) -> String {
        switch kind {
        case .chart: wording.chart
        case .search: wording.search
        case .film(let part): wording.name(part)
        case .image: wording.image
        case .archive: wording.archive
        }
    }
}
