import CommandKit
import Envelope
import EventLog
import EventText
import Localization
import MessageBus
import ProcessKit

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Events that `tap --record` or `tap --json` wrote, one JSON object per line.
struct EventReplay {
    let path: String

    /// The events in the order of the file, each with the number of events that are missing before it.
    ///
    /// - Throws: `StartupError` for a file that cannot be read, or that has another line.
    func events() throws -> [(event: StampedEvent, lost: Int)] {
        let text: Data
        do {
            text = try Data(contentsOf: URL(fileURLWithPath: path == "-" ? "/dev/stdin" : path))
        } catch {
            let reason = error.systemReason ?? "\(error)"
            throw StartupError(
                LocalizedText(
                    ko: "\(path.printable): 읽을 수 없습니다: \(reason). --record로 기록한 파일을 쓰세요.",
                    en: "\(path.printable) cannot be read: \(reason). Give a file that --record wrote."),
                exitStatus: ExitStatus.inputOutput)
        }
        var events: [(event: StampedEvent, lost: Int)] = []
        var last: UInt64?
        for (index, line) in text.split(separator: UInt8(ascii: "\n")).enumerated() {
            // The line of a gap: the sequence numbers tell the same.
            if line.starts(with: Array(#"{"lost":"#.utf8)) { continue }
            guard let event = EventLine.event(Array(line)) else { throw Self.unreadable(path, index + 1) }
            let sequence = event.stamp.sequence
            // A lower number belongs to another broker or another recording.
            let lost = last.map { sequence > $0 ? Int(clamping: sequence - $0 - 1) : 0 } ?? 0
            events.append((event, lost))
            last = sequence
        }
        return events
    }

    private static func unreadable(_ path: String, _ line: Int) -> StartupError {
        StartupError(
            LocalizedText(
                ko: "\(path.printable) \(line)행: 이벤트가 아닙니다. --record로 기록한 파일을 쓰세요.",
                en: "\(path.printable), line \(line), is no event. Give a file that --record wrote."),
            exitStatus: ExitStatus.dataError)
    }
}
