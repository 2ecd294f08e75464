public import ArgumentParser
internal import CommandKit
public import ProcessKit

/// The option of every server that may choose its port itself: where it writes its address.
public struct URLFileOption: ParsableArguments {
    @Option(
        help: .words(
            "연결을 받기 시작하면 기본 URL을 기록할 파일", "File to write the base URL to once the server listens."))
    var urlFile: String?

    public var file: URLFile? { urlFile.map(URLFile.init(path:)) }

    public init() {}
}
