/// A failure of the disk: a message for people and a code for programs.
///
/// After almost all of them the service continues from memory; see `needsOperator`.
public struct StorageError: Error, Sendable, CustomStringConvertible {
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        public let description: String

        /// No room left on the device, or the database has reached its largest size.
        public static let diskFull = Code(description: "disk_full")
        /// The file is damaged or not a database.
        public static let corrupt = Code(description: "corrupt")
        /// An intact database of another program.
        public static let foreign = Code(description: "foreign")
        /// An intact database of a later version of this program.
        public static let newer = Code(description: "newer")
        /// Another process uses the folder, or another user owns it.
        public static let inUse = Code(description: "in_use")
        /// The folder or the file cannot be created or written.
        public static let notWritable = Code(description: "not_writable")
        /// Another process has locked the file.
        public static let busy = Code(description: "busy")
        /// The tier was closed during the call.
        public static let closed = Code(description: "closed")
        /// Any other SQLite error.
        public static let failed = Code(description: "failed")
    }

    public let code: Code
    public let message: String
    public let underlying: (any Error)?

    public init(_ code: Code, _ message: String, underlying: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.underlying = underlying
    }

    /// Whether the same call may succeed soon without an operator's action.
    public var isRetryable: Bool { code == .busy }

    /// Whether the service must stop: the file is intact and belongs to another program, version or process; the operator
    /// must decide.
    public var needsOperator: Bool { [.foreign, .newer, .inUse].contains(code) }

    public var description: String { "\(code): \(message)" }
}
