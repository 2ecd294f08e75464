import Majordomo
import MessageBus

/// The inputs of the client, each with its actions as the result.
extension ClientStateMachine {
    mutating func connected(at now: Duration) -> [Action] { Self.actions { connected(at: now, &$0) } }

    mutating func disconnected(at now: Duration) -> [Action] { Self.actions { disconnected(at: now, &$0) } }

    mutating func received(_ frames: [Frame], at now: Duration) -> [Action] {
        Self.actions { received(frames, at: now, &$0) }
    }

    mutating func cancelled(_ id: RequestID, at now: Duration) -> [Action] {
        Self.actions { cancelled(id, at: now, &$0) }
    }

    mutating func ticked(at now: Duration) -> [Action] { Self.actions { ticked(at: now, &$0) } }

    mutating func requested(
        _ id: RequestID, service: Frame, content: [Frame], isIdempotent: Bool, deadline: Duration, at now: Duration
    ) -> [Action] {
        Self.actions {
            requested(
                id, service: service, content: content, isIdempotent: isIdempotent, deadline: deadline, at: now, &$0)
        }
    }

    private static func actions(_ change: (inout [Action]) -> Void) -> [Action] {
        var actions: [Action] = []
        change(&actions)
        return actions
    }
}
