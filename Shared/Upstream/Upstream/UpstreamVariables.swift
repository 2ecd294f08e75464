/// The environment variables of an upstream, and their defaults.
public struct UpstreamVariables: Sendable {
    package let key: String
    package let baseURL: String
    package let dailyLimit: String
    package let defaultBaseURL: String
    package let defaultDailyLimit: Int

    /// - Parameters:
    ///   - key: the variable with the key, or, with "_FILE" behind it, with the name of its file.
    ///   - dailyLimit: the variable with the calls that a day has.
    package init(
        key: String, baseURL: String, dailyLimit: String, defaultBaseURL: String, defaultDailyLimit: Int
    ) {
        self.key = key
        self.baseURL = baseURL
        self.dailyLimit = dailyLimit
        self.defaultBaseURL = defaultBaseURL
        self.defaultDailyLimit = defaultDailyLimit
    }
}
