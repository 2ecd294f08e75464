import Subprocess
public import TerminalText

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Turns an image into what a terminal shows; the program chafa knows how, for each kind of terminal.
public struct ImagePainter: Sendable {
    /// Of the picture; its shape is kept.
    private static let maxColumns = 60
    private static let maxLines = 24
    /// Lines of text below the picture, and that of the prompt.
    private static let textLines = 5
    /// An image of several megapixels in sixels.
    private static let maxBytes = 16 << 20
    private static let timeLimit = Duration.seconds(4)

    let paint: @Sendable ([UInt8]) async throws -> [UInt8]?

    /// - Parameter paint: nil when it cannot; `CancellationError` passes through.
    init(_ paint: @escaping @Sendable ([UInt8]) async throws -> [UInt8]?) {
        self.paint = paint
    }

    /// nil where there is no such program, and on a terminal too small for a picture: then no image need be fetched.
    public init?(program: String = "chafa", on terminal: Terminal) async {
        guard Self.lines(of: terminal) != nil,
            (try? await Executable.name(program).resolveExecutablePath(in: .inherit)) != nil
        else { return nil }
        self.init { image in
            guard let size = terminal.size, let lines = Self.lines(of: terminal) else { return nil }
            let columns = min(size.columns, Self.maxColumns)
            // The first picture of a moving one; it would move for ever.
            let isColoured = terminal.style.isColoured
            let graphics = isColoured ? await terminal.graphics() : .symbols
            var arguments = ["--animate", "off", "--size", "\(columns)x\(lines)", "--format", graphics.rawValue]
            if !isColoured { arguments += ["--colors", "none"] }
            // A file, since Subprocess 1.0 ends this program when another one does not read all of its input.
            let file = FileManager.default.temporaryDirectory.appending(path: "boxoffice-\(UUID().uuidString)")
            defer { try? FileManager.default.removeItem(at: file) }
            do {
                try Data(image).write(to: file, options: .withoutOverwriting)
            } catch {
                // The link is there, whatever a disk refuses.
                return nil
            }
            return try await Self.output(of: program, arguments + [file.path])
        }
    }

    /// That a picture may take; nil when there is no room.
    private static func lines(of terminal: Terminal) -> Int? {
        guard let size = terminal.size, size.lines > textLines else { return nil }
        return min(size.lines - textLines, maxLines)
    }

    /// What a program prints; nil when it fails, or takes too long and is killed.
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
                    // The link is there, whatever keeps a program from running.
                    return nil
                }
            }
            group.addTask {
                try await Task.sleep(for: timeLimit)
                return nil
            }
            // The other one is cancelled, which kills the program.
            defer { group.cancelAll() }
            return try await group.next() ?? nil
        }
    }
}
