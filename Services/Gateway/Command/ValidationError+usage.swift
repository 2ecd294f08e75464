import ArgumentParser
import GatewayCore
import ProcessKit

extension ValidationError {
    /// The same for the parser, which ends with its own exit code for any other error.
    static func usage(_ korean: String, _ english: String) -> ValidationError {
        ValidationError(StartupError.usage(korean, english).description)
    }
}
