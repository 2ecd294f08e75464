internal import GRDB

extension StorageError {
    /// Converts an error of a database access.
    ///
    /// A stored row that does not decode counts as corrupt, since only this store writes the file.
    public init(_ error: any Error, path: String) {
        switch error {
        case let error as StorageError:
            self = error
        case let error as DatabaseError:
            let reason = error.message ?? "SQLite code \(error.extendedResultCode.rawValue)"
            self.init(Code(error.resultCode), "\(path): \(reason)", underlying: error)
        case is RowDecodingError, is DecodingError:
            self.init(.corrupt, "\(path): a stored row does not decode: \(error)", underlying: error)
        default:
            self.init(.failed, "\(path): \(error)", underlying: error)
        }
    }
}

extension StorageError.Code {
    init(_ code: ResultCode) {
        switch code {
        case .SQLITE_FULL: self = .diskFull
        case .SQLITE_CORRUPT, .SQLITE_NOTADB: self = .corrupt
        case .SQLITE_READONLY, .SQLITE_CANTOPEN, .SQLITE_PERM: self = .notWritable
        case .SQLITE_BUSY, .SQLITE_LOCKED: self = .busy
        // GRDB reports misuse when a connection is used after `close()`.
        case .SQLITE_MISUSE: self = .closed
        default: self = .failed
        }
    }
}
