/// Why the disk could not do what was asked: what happened, in words for a person, and a code for a program.
///
/// With almost all of them the service goes on from memory; see `needsOperator`.
public struct StorageError: Error, Sendable, CustomStringConvertible {
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        public let description: String

        /// No room left on the device, or the database has reached its largest size.
        public static let diskFull = Code(description: "disk_full")
        /// The file is damaged or no database at all.
        public static let corrupt = Code(description: "corrupt")
        /// A sound database of another program.
        public static let foreign = Code(description: "foreign")
        /// A sound database of a later version of this program.
        public static let newer = Code(description: "newer")
        /// The folder or the file cannot be made or written.
        public static let notWritable = Code(description: "not_writable")
        /// Another process holds the file.
        public static let busy = Code(description: "busy")
        /// The tier was closed while the call was under way.
        public static let closed = Code(description: "closed")
        /// Anything else SQLite says.
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

    /// Whether the same call may work if it is made again soon, without anyone doing anything.
    public var isRetriable: Bool { code == .busy }

    /// Whether the service must stop: the file is sound and of value to another program, which a person has to decide on.
    public var needsOperator: Bool { code == .foreign || code == .newer }

    public var description: String { "\(code): \(message)" }
}
