internal import Envelope
internal import Localization
internal import Majordomo
internal import MessageBus

/// Events that the broker keeps, as it answers them.
struct EventPage {
    /// Of the newest event that the broker has.
    let head: EventStamp
    /// Those that can be read.
    let events: [StampedEvent]
    /// The number of the last event of the page, readable or not; nil without any.
    let newest: UInt64?

    /// - Parameter frames: the newest stamp, then pairs of a stamp and an event.
    init(_ frames: [Frame]) throws {
        guard let head = frames.first.flatMap(EventStamp.init) else {
            throw Failure(
                .malformed,
                LocalizedText(ko: "브로커의 이벤트 목록을 읽을 수 없습니다.", en: "The broker's list of events cannot be read."),
                isRetryable: false)
        }
        var events: [StampedEvent] = []
        var newest: UInt64?
        for pair in stride(from: 1, to: frames.count - 1, by: 2) {
            guard let stamp = EventStamp(frames[pair]), stamp.epoch == head.epoch else { continue }
            newest = stamp.sequence
            guard let event = try? JSONBytes.decode(Event.self, from: frames[pair + 1]) else { continue }
            events.append(StampedEvent(stamp: stamp, event: event))
        }
        (self.head, self.events, self.newest) = (head, events, newest)
    }
}
