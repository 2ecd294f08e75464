import CommandKit
import Localization
import ProcessKit

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The folder that a site is written to: a new one, an empty one, or that of an earlier export.
struct SiteFolder {
    /// Marks a folder as written by an export, whose files the next one may replace.
    private static let mark = ".boxoffice-export"

    private let path: String

    /// - Throws: `StartupError` for a folder with other files, and for one that cannot be read or written.
    init(_ path: String) throws {
        self.path = path
        if FileManager.default.fileExists(atPath: path) {
            let files = try Self.files(in: path)
            guard files.isEmpty || files.contains(Self.mark) else {
                throw StartupError.usage(
                    "\(path)에 다른 파일이 있습니다. 새 디렉터리나 빈 디렉터리를 지정하세요.",
                    "\(path) has other files. Name a new or an empty directory.")
            }
        }
        try write([], to: Self.mark)
    }

    private static func files(in path: String) throws -> [String] {
        do {
            return try FileManager.default.contentsOfDirectory(atPath: path)
        } catch {
            let reason = error.systemReason ?? "\(error)"
            throw StartupError(
                LocalizedText(
                    ko: "\(path) 디렉터리를 읽을 수 없습니다: \(reason). 다른 디렉터리를 지정하세요.",
                    en: "\(path) cannot be read as a directory: \(reason). Name another one."),
                exitStatus: ExitStatus.inputOutput)
        }
    }

    /// - Parameter name: with the names of folders, which are made.
    func write(_ bytes: [UInt8], to name: String) throws {
        let file = "\(path)/\(name)"
        let folder = String(file[..<(file.lastIndex(of: "/") ?? file.endIndex)])
        do {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try Data(bytes).write(to: URL(fileURLWithPath: file), options: .atomic)
        } catch {
            let reason = error.systemReason ?? "\(error)"
            throw StartupError(
                LocalizedText(
                    ko: "\(file)에 쓸 수 없습니다: \(reason). 다른 디렉터리를 지정하거나 공간을 확보하세요.",
                    en: "\(file) cannot be written: \(reason). Name another directory, or make room."),
                exitStatus: ExitStatus.inputOutput)
        }
    }
}
