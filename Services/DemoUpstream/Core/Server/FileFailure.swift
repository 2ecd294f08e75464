#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Describes why a file could not be read or written; Foundation's own description is a dump of its fields.
enum FileFailure {
    static func text(of error: any Error) -> String {
        guard let error = error as? CocoaError else { return "\(error)" }
        return switch error.code {
        case .fileNoSuchFile, .fileReadNoSuchFile: "there is no such file or folder"
        case .fileReadNoPermission, .fileWriteNoPermission: "permission denied"
        case .fileWriteOutOfSpace: "no space is left"
        default: "file error \(error.code.rawValue)"
        }
    }
}
