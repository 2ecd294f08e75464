import CacheStoreMachine
import Majordomo
import MessageBus

/// The store's answers in the simulated world.
enum CacheReply: Equatable {
    case lease(LeaseID, isCallCounted: Bool)
    case value(Int)
    case failure(Int)
    case busy
    /// It waited until its deadline.
    case tooLate
    case done
    case refused

    var frames: [Frame] {
        let words: [String] =
            switch self {
            case .lease(let lease, let isCallCounted): ["lease", "\(lease)", isCallCounted ? "counted" : "refused"]
            case .value(let value): ["value", "\(value)"]
            case .failure(let failure): ["failure", "\(failure)"]
            case .busy: ["busy", ""]
            case .tooLate: ["late", ""]
            case .done: ["done", ""]
            case .refused: ["refused", ""]
            }
        return words.map { Frame(text: $0) }
    }

    init?(_ frames: ArraySlice<Frame>) {
        let frames = Array(frames)
        guard frames.count >= 2 else { return nil }
        let word = frames[1].text
        switch frames[0].text {
        case "lease":
            guard let lease = LeaseID(word), frames.count >= 3 else { return nil }
            self = .lease(lease, isCallCounted: frames[2].text == "counted")
        case "value": self = .value(Int(word) ?? -1)
        case "failure": self = .failure(Int(word) ?? -1)
        case "busy": self = .busy
        case "late": self = .tooLate
        case "done": self = .done
        case "refused": self = .refused
        default: return nil
        }
    }
}
