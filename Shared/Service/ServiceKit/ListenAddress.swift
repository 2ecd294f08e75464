internal import Localization
public import ProcessKit

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Darwin
#endif

/// Where an HTTP server of a stack accepts connections.
public struct ListenAddress: Sendable {
    public let host: String
    /// 0 takes any free port.
    public let port: Int
    private let portSetting: String

    /// - Parameters:
    ///   - hostSetting: the name of the setting; without a value it is the loopback.
    ///   - portSetting: the same of the port.
    /// - Throws: `StartupError` that names the setting and its possible values.
    public init(
        host hostSetting: String, port portSetting: String, usualPort: Int, _ environment: Environment
    ) throws {
        host = environment[hostSetting] ?? "127.0.0.1"
        guard host.wholeMatch(of: /[A-Za-z0-9._:%-]+/) != nil else {
            throw StartupError.unusable(hostSetting, host, ko: "IP 주소나 호스트 이름", en: "an IP address or a host name")
        }
        self.portSetting = portSetting
        let text = environment[portSetting] ?? String(usualPort)
        guard let number = Int(text), (0...65_535).contains(number) else {
            throw StartupError.unusable(portSetting, text, ko: "0부터 65535까지의 수", en: "a number from 0 to 65535")
        }
        port = number
    }

    /// Whether only programs of this machine can connect.
    public var isLoopback: Bool { ["127.0.0.1", "::1", "localhost"].contains(host) }

    /// The base URL.
    ///
    /// - Parameter port: the one that the server has got; nil counts as 0.
    public func url(port: Int?) -> String { "http://\(host.contains(":") ? "[\(host)]" : host):\(port ?? 0)" }

    /// - Parameter errno: of the system.
    public func cannotListen(errno: Int32) -> StartupError {
        let reason = String(cString: strerror(errno))
        return StartupError(
            LocalizedText(
                ko: "\(host):\(port)에서 연결을 받을 수 없습니다: \(reason). \(portSetting)를 다른 포트로 정하세요. 0은 비어 있는 포트입니다.",
                en:
                    "Cannot listen on \(host):\(port): \(reason). Set \(portSetting) to another port; 0 takes any free one."
            ),
            exitStatus: ExitStatus.unavailable)
    }
}

extension StartupError {
    /// A setting with a value that it cannot have.
    ///
    /// - Parameters:
    ///   - ko: the possible values, in Korean.
    ///   - en: the same in English, as in "a number".
    public static func unusable(_ name: String, _ value: String, ko: String, en: String) -> StartupError {
        StartupError(
            LocalizedText(
                ko: "\(name)=\(AddressText(value)): 쓸 수 없습니다. 가능한 값: \(ko).",
                en: "\(name)=\(AddressText(value)) cannot be used. Set it to \(en)."),
            exitStatus: ExitStatus.configuration)
    }
}
