/// The API of a path, which determines the format of a refusal.
enum UpstreamAPI: Sendable {
    case kobis
    case kakao
    /// Posters and the pages about films, which third-party sites serve in reality.
    case pictures
}
