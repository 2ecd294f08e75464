import BrokerMachine
import Majordomo
import MessageBus

/// The last frame of every request in the simulated world: identifies the caller and its message.
struct MessageTag: Equatable {
    let number: Int

    init(number: Int) { self.number = number }

    init?(_ frame: Frame?) {
        guard let frame, frame.count == 5, frame[0] == 0x23 else { return nil }
        number = frame.dropFirst().reduce(0) { $0 << 8 | Int($1) }
    }

    /// Describes a request without its tag: two messages of one call are the same request.
    static func description(of content: ArraySlice<Frame>) -> RequestDescription? {
        guard MessageTag(content.last) != nil else { return nil }
        return RequestDescription(kind: content.first?.text ?? "", payload: content.dropLast())
    }

    var encoded: Frame { [0x23] + (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) } }
}
