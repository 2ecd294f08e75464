/// The place of a stored part in an answer.
public enum PartForm: Sendable {
    /// The stored value is the payload.
    case payload
    /// The stored value is the first attachment, and the payload is the stored attribute of that name: an image and its
    /// description.
    case attachment(attribute: String)

    func parts(_ value: [UInt8], _ attributes: [String: String]) -> (payload: [UInt8], attachments: [[UInt8]]) {
        switch self {
        case .payload: (value, [])
        case .attachment(let name): (Array((attributes[name] ?? "").utf8), [value])
        }
    }
}
