import Domain
import Envelope
import EventLog

/// What a listener wants to hear.
enum LiveTopic: Sendable, Equatable {
    /// That the answer to a chart has changed; with the version that the listener has, if it has one.
    case chart(ChartSelection, version: String?)
    /// The events of the stack that belong to the selection.
    case events(EventSelection)
}

/// What a frame is about.
enum FrameTopic: Sendable {
    case chart(ChartSelection)
    case event(Event)
    /// Every listener of the stack's events.
    case everyone
}

extension LiveTopic {
    var chart: ChartSelection? { if case .chart(let selection, _) = self { selection } else { nil } }

    func includes(_ frame: FrameTopic) -> Bool {
        switch (self, frame) {
        case (.chart(let own, _), .chart(let other)): own == other
        case (.events(let selection), .event(let event)): selection.contains(event)
        case (.events, .everyone): true
        default: false
        }
    }
}
