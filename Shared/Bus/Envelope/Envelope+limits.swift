internal import Localization

extension Envelope {
    /// The limits of frame size, number of frames and message size for senders.
    ///
    /// The larger limit of libzmq closes the connection without a report.
    public static let maxFrameBytes = 2 << 20
    public static let maxFrames = 64
    public static let maxMessageBytes = 3 << 20

    /// Some frames of a message are reserved for the protocol.
    private static let maxBodyFrames = maxFrames - 8

    /// Throws a `Failure` that names the limit that these frames exceed.
    static func checkSize(of frames: [[UInt8]]) throws(Failure) {
        guard frames.count <= maxBodyFrames else {
            throw .tooLarge(
                ko: "프레임이 \(frames.count)개입니다(최대 \(maxBodyFrames)개)",
                en: "it has \(frames.count) frames, at most \(maxBodyFrames) are sent")
        }
        if let index = frames.firstIndex(where: { $0.count > maxFrameBytes }) {
            let name = frameName(index)
            throw .tooLarge(
                ko: "\(name.ko) 크기가 \(frames[index].count)바이트입니다(프레임마다 최대 \(maxFrameBytes)바이트)",
                en: "its \(name.en) has \(frames[index].count) bytes, at most \(maxFrameBytes) are sent in a frame")
        }
        let total = frames.reduce(0) { $0 + $1.count }
        guard total <= maxMessageBytes else {
            throw .tooLarge(
                ko: "모두 \(total)바이트입니다(최대 \(maxMessageBytes)바이트)",
                en: "it has \(total) bytes in all, at most \(maxMessageBytes) are sent")
        }
    }

    private static func frameName(_ index: Int) -> LocalizedText {
        switch index {
        case 0: LocalizedText(ko: "헤더", en: "header")
        case 1: LocalizedText(ko: "본문", en: "payload")
        default: LocalizedText(ko: "첨부 \(index - 1)", en: "attachment \(index - 1)")
        }
    }
}

extension Failure {
    fileprivate static func tooLarge(ko: String, en: String) -> Failure {
        Failure(
            .tooLarge,
            LocalizedText(ko: "보내기에는 메시지가 너무 큽니다: \(ko).", en: "The message is too large to send: \(en)."),
            isRetryable: false)
    }
}
