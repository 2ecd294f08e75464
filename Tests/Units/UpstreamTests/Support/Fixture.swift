import Foundation

/// Bodies in the form of the recordings, written for these tests.
enum Fixture {
    static func bytes(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: Bundle.module.resourceURL.unwrapped.appending(path: "Fixtures/\(name)")))
    }

    static func text(_ name: String) throws -> String {
        String(decoding: try bytes(name), as: UTF8.self)
    }
}

extension Optional where Wrapped == URL {
    fileprivate var unwrapped: URL {
        get throws {
            guard let self else { throw CocoaError(.fileNoSuchFile) }
            return self
        }
    }
}
