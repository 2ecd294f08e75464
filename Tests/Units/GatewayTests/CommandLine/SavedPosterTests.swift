import Foundation
import TestSupport
import Testing

@testable import GatewayCore

/// `gateway poster --save`.
@Suite(.timeLimit(.minutes(1)), .scene()) struct SavedPosterTests {
    let scene: GatewayScene

    init() throws {
        scene = try GatewayScene.shared
    }

    @Test func `a suffix of another type of image is reported`() async throws {
        for (suffix, isReported) in [("jpg", true), ("JPEG", true), ("png", false), ("poster", false)] {
            let file = scene.stack.folder + "/x.\(suffix)"
            let printed = await scene.answered("poster 20199001 --lang en --save", file)
            #expect(printed.output.hasPrefix("Saved: \(file)") && printed.output.contains("image/png"), "\(printed)")
            #expect(
                printed.errors.contains("holds image/png. Name it with the suffix .png.") == isReported, "\(printed)")
            let bytes = try #require(FileManager.default.contents(atPath: file))
            #expect(bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]))
        }
    }

    @Test func `a minus sign writes the image alone to stdout`() async throws {
        let file = scene.stack.folder + "/reference.png"
        await scene.answered("poster 20199001 --save", file)
        let answer = await scene.answer("poster 20199001 --save - --lang en")
        #expect(answer.exitStatus == 0 && Data(answer.output) == FileManager.default.contents(atPath: file))
        #expect(answer.notes.first == "Saved: stdout" && answer.notes.count == 2)
    }
}
