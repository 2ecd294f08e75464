/// Why the disk could not do what was asked: what happened, in words for a person, and a code for a program.
///
/// No code means that the service must stop: from memory it goes on with all of them.
public struct StorageError: Error, Sendable, CustomStringConvertible {
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        public let description: String

        /// No room left on the device, or the database has reached its largest size.
        public static let diskFull = Code(description: "disk_full")
        /// The file is damaged or no database at all.
        public static let corrupt = Code(description: "corrupt")
        /// A sound database of another program, or of a later version of this one.
        public static let foreign = Code(description: "foreign")
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

    public var description: String { "\(code): \(message)" }
}
