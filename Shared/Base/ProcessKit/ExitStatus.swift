public import Localization

/// The exit codes of all programs (after sysexits.h).
public enum ExitStatus {
    public static let complete: Int32 = 0
    /// The command line is wrong.
    public static let usage: Int32 = 64
    /// The upstream sent an invalid answer.
    public static let dataError: Int32 = 65
    /// No such film, or a past day without a chart.
    public static let noInput: Int32 = 66
    /// The stack or the upstream cannot be reached.
    public static let unavailable: Int32 = 69
    /// A defect of this product.
    public static let software: Int32 = 70
    /// A file or folder error on this machine.
    public static let inputOutput: Int32 = 74
    /// Try again later: timeout, quota, not yet published.
    public static let temporary: Int32 = 75
    /// The upstream does not accept the key.
    public static let noPermission: Int32 = 77
    /// A key or a setting is missing or unusable.
    public static let configuration: Int32 = 78
}

/// A failure that ends a program: a message with cause and advice, and the exit code.
public struct StartupError: Error, CustomStringConvertible, Sendable {
    public let message: LocalizedText
    public let exitStatus: Int32

    public var description: String { message(.en) }

    public init(_ message: LocalizedText, exitStatus: Int32) {
        self.message = message
        self.exitStatus = exitStatus
    }

    /// The same words in both languages: those of the system or of a library.
    public init(_ message: String, exitStatus: Int32) {
        self.init(LocalizedText(ko: message, en: message), exitStatus: exitStatus)
    }
}

/// The version of the product (SemVer): all programs of a stack are released together.
public enum ProductVersion {
    public static let current = "0.2.0"
}
