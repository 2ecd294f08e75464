public import Envelope
public import Localization

extension DataSource {
    /// The label of data that is not genuine; nil for data of the upstream.
    public var label: LocalizedText? {
        switch self {
        case .upstream: nil
        case .recorded: LocalizedText(ko: "녹화된 자료", en: "recorded data")
        default: LocalizedText(ko: "데모 데이터", en: "demo data")
        }
    }
}
