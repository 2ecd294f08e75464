import Contracts
import Envelope
import Localization
import ProcessKit

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// An output file that the user named; it is replaced atomically.
struct OutputFile {
    let path: String

    /// Rejects what is neither a regular file nor absent, before any request is sent: a pipe, device or folder would be
    /// replaced, or writing would block.
    ///
    /// - Throws: `Failure` with code `storage`.
    func check() throws {
        // A path that cannot be examined is absent or not writable; the write reports the reason.
        let type = try? FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType
        guard type == nil || type == .typeRegular else { throw Failure.notAFile(path) }
    }

    /// - Parameter permissions: of the file; nil for the default of the umask.
    /// - Throws: `Failure` with code `storage`; the file is then unchanged.
    func write(_ bytes: [UInt8], permissions: Int? = nil) throws {
        try check()
        do {
            try Data(bytes).write(to: URL(fileURLWithPath: path), options: .atomic)
            if let permissions {
                try FileManager.default.setAttributes([.posixPermissions: permissions], ofItemAtPath: path)
            }
        } catch {
            throw Failure.notWritten(path, error)
        }
    }
}

extension Failure {
    fileprivate static func notAFile(_ path: String) -> Failure {
        Failure(
            .storage,
            LocalizedText(
                ko: "\(path.with(.topic)) 일반 파일이 아니어서 쓰지 않았습니다. 다른 이름을 쓰세요.",
                en: "\(path) is not a regular file and was not written. Choose another name."),
            isRetryable: false)
    }

    fileprivate static func notWritten(_ path: String, _ error: any Error) -> Failure {
        let reason = error.systemReason ?? "\(error)"
        return Failure(
            .storage,
            LocalizedText(
                ko: "\(path)에 저장하지 못했습니다: \(reason). 다른 곳을 고르세요.",
                en: "\(path) cannot be written: \(reason). Choose another place."),
            isRetryable: false)
    }
}
