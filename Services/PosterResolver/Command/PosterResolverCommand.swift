import ArgumentParser
import CommandKit
import FetcherKit
import PosterResolverCore
import ProcessKit
import ServiceKit

@main
struct PosterResolverCommand: ServiceCommand {
    static func main() async { await runProcess() }

    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "poster-resolver",
            abstract: say(
                "카카오 이미지 검색으로 포스터를 찾고 이미지 가져오기", "Find posters with Kakao image search and fetch the images."),
            discussion: FetcherOptions.discussion(
                .kakao,
                more: say(
                    """

                    이미지는 공개된 인터넷의 호스트에서만 가져옵니다. KAKAO_BASE_URL이 이 컴퓨터의
                    주소(loopback)이면 그 주소에서도 가져옵니다.
                    """,
                    " Images come from any host of the public internet, or, beside a KAKAO_BASE_URL on the loopback, "
                        + "from there.")))
    }

    @OptionGroup var options: FetcherOptions

    func run(_ environment: Environment) async throws -> Int32 {
        try await options.run(.kakao, environment) { try PosterResolver($0) }
    }
}
