internal import EventLog
import EventText
import Localization
public import MessageBus
import ProcessKit

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Darwin
#endif

/// Appends events to a file, one JSON object per line.
public final class EventRecorder: Sendable {
    private let path: String
    private let descriptor: Int32

    public init(path: String) throws {
        self.path = path
        descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Self.failure(path, errno) }
    }

    deinit {
        close(descriptor)
    }

    public func keep(_ event: StampedEvent) throws {
        let line = try EventLine.json(event) + [UInt8(ascii: "\n")]
        if let error = LineOutput.write(line, to: descriptor) { throw Self.failure(path, error) }
    }

    private static func failure(_ path: String, _ error: Int32) -> StartupError {
        StartupError(
            LocalizedText(
                ko: "\(path.printable)에 쓸 수 없습니다: \(String(cString: strerror(error))). --record에 쓸 수 있는 파일을 지정하세요.",
                en: "\(path.printable) cannot be written: \(String(cString: strerror(error))). "
                    + "Give --record a file that may be written."),
            exitStatus: ExitStatus.inputOutput)
    }
}
