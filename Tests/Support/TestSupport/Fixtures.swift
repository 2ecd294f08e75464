import Foundation

/// The files beside the tests.
public enum Fixtures {
    /// The folder of recorded bodies in the upstream's format, all invented.
    public static var recordings: String { Bundle.module.bundlePath + "/Fixtures" }
}
