public import Contracts
public import Domain
internal import Localization
internal import ProcessKit
public import Upstream

/// Settings that a fetcher needs to call its upstream.
public struct UpstreamAccess: Sendable {
    public let key: APIKey
    public let baseURL: String
    /// Calls per day of the key.
    public let dailyLimit: CallLimit
    public let retry: UpstreamRetry
    /// Records the answers of the upstream; nil to record none.
    public let recorder: UpstreamRecorder?

    public init(
        key: APIKey, baseURL: String, dailyLimit: CallLimit, retry: UpstreamRetry = UpstreamRetry(),
        recorder: UpstreamRecorder? = nil
    ) {
        self.key = key
        self.baseURL = baseURL
        self.dailyLimit = dailyLimit
        self.retry = retry
        self.recorder = recorder
    }
}

extension Environment {
    /// - Throws: `StartupError` without a key, or with one that cannot be used.
    func access(to upstream: UpstreamVariables, recorder: UpstreamRecorder?) throws -> UpstreamAccess {
        let limit = try number(
            upstream.dailyLimit, default: upstream.defaultDailyLimit, in: CallLimitBounds.allowed)
        return UpstreamAccess(
            key: try apiKey(upstream.key), baseURL: self[upstream.baseURL] ?? upstream.defaultBaseURL,
            dailyLimit: CallLimit(clamping: limit), recorder: recorder)
    }

    /// The API key from the variable of that name, or from its file.
    private func apiKey(_ name: String) throws -> APIKey {
        guard let text = try secret(name) else {
            throw StartupError(
                LocalizedText(
                    ko: "\(name.with(.subject)) 없습니다. 키를 \(name)에, 또는 키 파일의 이름을 \(name)_FILE에 정하세요. "
                        + "데모에는 키가 필요 없습니다: \(Installation.stack("up --demo"))",
                    en: "\(name) is not set. Put the key into \(name), or its file's name into \(name)_FILE; "
                        + "\(Installation.stack("up --demo")) needs none."),
                exitStatus: ExitStatus.configuration)
        }
        do {
            return try APIKey(text)
        } catch let error as UpstreamError {
            throw StartupError("\(name): \(error.message)", exitStatus: ExitStatus.configuration)
        }
    }
}
