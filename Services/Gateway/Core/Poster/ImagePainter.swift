import Subprocess
import TerminalText

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Converts an image for the terminal with the program chafa, which supports each kind of terminal.
struct ImagePainter: Sendable {
    /// The largest size of the picture; its aspect ratio is kept.
    private static let maxColumns = 60
    private static let maxLines = 24
    /// Lines below the picture for text and the prompt.
    private static let textLines = 5
    /// The largest output: an image of several megapixels in sixels.
    private static let maxBytes = 16 << 20
    let paint: @Sendable ([UInt8]) async throws -> [UInt8]?

    /// - Parameter paint: returns nil when it cannot paint; `CancellationError` is rethrown.
    init(_ paint: @escaping @Sendable ([UInt8]) async throws -> [UInt8]?) {
        self.paint = paint
    }

    /// nil without such a program and on a terminal too small for a picture; then no image needs to be fetched.
    ///
    /// - Parameter cell: the largest size, of a picture of glyphs that stands beside text; nil for one of its own.
    init?(program: String = "chafa", on terminal: Terminal, cell: (columns: Int, lines: Int)? = nil) async {
        guard Self.lines(of: terminal) != nil,
            (try? await Executable.name(program).resolveExecutablePath(in: .inherit)) != nil
        else { return nil }
        self.init { image in
            guard let size = terminal.size, let lines = Self.lines(of: terminal) else { return nil }
            let (columns, height) = cell ?? (min(size.columns, Self.maxColumns), lines)
            // Only the first frame of an animation, which would otherwise run for ever.
            let isColoured = terminal.style.isColoured
            let graphics = isColoured && cell == nil ? await terminal.graphics() : .symbols
            var arguments = ["--animate", "off", "--size", "\(columns)x\(height)", "--format", graphics.rawValue]
            if !isColoured { arguments += ["--colors", "none"] }
            // A file instead of stdin: Subprocess 1.0 ends this program when the child does not read all of its input.
            let file = FileManager.default.temporaryDirectory.appending(path: "boxoffice-\(UUID().uuidString)")
            defer { try? FileManager.default.removeItem(at: file) }
            do {
                try Data(image).write(to: file, options: .withoutOverwriting)
            } catch {
                // A disk error leaves the link.
                return nil
            }
            return try await Self.output(of: program, arguments + [file.path])
        }
    }

    /// The lines that a picture may use; nil when there is no room.
    private static func lines(of terminal: Terminal) -> Int? {
        guard let size = terminal.size, size.lines > textLines else { return nil }
        return min(size.lines - textLines, maxLines)
    }

    /// The output of a program; nil when it fails or exceeds the time limit and is killed.
    private static func output(of program: String, _ arguments: [String]) async throws -> [UInt8]? {
        try await withThrowingTaskGroup(of: [UInt8]?.self) { group in
            group.addTask {
                do {
                    let result = try await Subprocess.run(
                        .name(program), arguments: Arguments(arguments),
                        output: .bytes(limit: maxBytes), error: .discarded)
                    return result.terminationStatus.isSuccess ? result.standardOutput : nil
                } catch let error as CancellationError {
                    throw error
                } catch {
                    // A program that cannot be run leaves the link.
                    return nil
                }
            }
            group.addTask {
                try await Task.sleep(for: GatewayTiming.pictureLimit)
                return nil
            }
            // Cancels the other task; a cancelled run kills the program.
            defer { group.cancelAll() }
            return try await group.next() ?? nil
        }
    }
}
