/// What must not happen once, however busy the machine: no `RetryTrait` asks again.
public struct BrokenPromise: Error, CustomStringConvertible {
    public let description: String

    public init(_ description: String) {
        self.description = description
    }
}
