import Contracts
import Envelope
import Localization
import ProcessKit

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A file that a person has named for an answer: it is replaced as a whole or not at all.
struct OutputFile {
    let path: String

    /// Refuses what is neither a regular file nor absent, before anything is asked: a pipe, a device or a folder would be
    /// replaced, or would never end.
    ///
    /// - Throws: `Failure` with code `storage`.
    func check() throws {
        // What cannot be examined either is absent or cannot be written, and the write says why.
        let type = try? FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType
        guard type == nil || type == .typeRegular else { throw Failure.notAFile(path) }
    }

    /// - Parameter permissions: of the file; nil for what the umask leaves.
    /// - Throws: `Failure` with code `storage`; then nothing has changed.
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
                ko: "\(path)은(는) 일반 파일이 아니어서 쓰지 않았습니다. 다른 이름을 쓰세요.",
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
