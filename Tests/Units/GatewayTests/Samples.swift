import Foundation
import Localization
import ProcessKit
import TerminalText
import TestSupport

@testable import GatewayCore

extension Samples {
    static let plain = TextStyle(isTerminal: false, isUnwanted: false, Environment([:]))
    static let coloured = TextStyle(isTerminal: true, isUnwanted: false, Environment([:]))

    static func presentation(isJSON: Bool = false, language: Language = .ko, now: Double = now) -> Presentation {
        Presentation(isJSON: isJSON, language: language, style: plain, now: now)
    }
}

extension Answer {
    /// The lines on stdout; the last one is empty, since the output ends with a line break.
    var lines: [String] { String(decoding: output, as: UTF8.self).components(separatedBy: "\n") }
}
