/// Whose endpoint a path belongs to, which decides how a refusal looks.
enum UpstreamAPI: Sendable {
    case kobis
    case kakao
    /// Posters and the pages about films: what third-party sites would serve.
    case pictures
}
