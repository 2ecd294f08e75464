import Foundation
import Subprocess
import SystemPackage

/// The exit status and output of a program.
struct CommandResult: Sendable, CustomStringConvertible {
    /// The exit status; 128 + n when signal n ended it.
    let status: Int32
    let output: String
    let errors: String

    var description: String { "status \(status)\nstdout: \(output.prefix(2000))\nstderr: \(errors.prefix(2000))" }
}

/// A program with its arguments and its changes to the tests' environment.
struct Command: Sendable {
    var path: String
    var arguments: [String] = []
    /// Variables to set, or with nil to unset.
    var environment: [String: String?] = [:]

    /// Runs until the program exits; cancellation kills it.
    func run() async throws -> CommandResult {
        let result = try await Subprocess.run(
            .name("env"), arguments: words, environment: variables, output: .string(limit: 8 << 20),
            error: .string(limit: 8 << 20))
        return CommandResult(
            status: Self.status(result.terminationStatus), output: result.standardOutput, errors: result.standardError)
    }

    /// Runs while `body` reads its lines, then ends it with SIGTERM.
    func reading<Result: Sendable>(_ body: (inout Lines) async throws -> Result) async throws -> Result {
        // A file without a name: nobody has to read while the program writes.
        let path = FileManager.default.temporaryDirectory.path + "/errors-\(UInt64.random(in: 0 ... .max))"
        let errors = try FileDescriptor.open(
            path, .readWrite, options: [.create, .exclusiveCreate, .closeOnExec], permissions: .ownerReadWrite)
        defer { try? errors.close() }
        unlink(path)
        return try await Subprocess.run(
            .name("env"), arguments: words, environment: variables, input: .none, output: .sequence,
            error: .fileDescriptor(errors, closeAfterSpawningProcess: false)
        ) { execution in
            var lines = Lines(
                processIdentifier: execution.processIdentifier.value, errorFile: errors,
                iterator: execution.standardOutput.strings().makeAsyncIterator())
            do {
                let result = try await body(&lines)
                try? execution.send(signal: .terminate)
                return result
            } catch {
                try? execution.send(signal: .terminate)
                throw error
            }
        }.closureResult
    }

    /// The output of a program, line by line.
    struct Lines {
        let processIdentifier: pid_t
        fileprivate let errorFile: FileDescriptor
        fileprivate var iterator: SubprocessOutputSequence.StringSequence<UTF8>.AsyncIterator

        /// nil after the program has closed its output.
        mutating func next() async throws -> String? { try await iterator.next() }

        /// The first 4 KiB that the program has written to its standard error.
        func errors() throws -> String {
            try String(unsafeUninitializedCapacity: 4096) { bytes in
                // The program writes at the file's offset, which reading must not move.
                try errorFile.read(fromAbsoluteOffset: 0, into: UnsafeMutableRawBufferPointer(bytes))
            }
        }
    }

    /// `env` finds the program by its path and replaces itself with it.
    private var words: Arguments { Arguments([path] + arguments) }

    private var variables: Environment {
        var changes: [Environment.Key: String?] = [:]
        for (name, value) in environment {
            guard let key = Environment.Key(rawValue: name) else { continue }
            changes[key] = value
        }
        return .inherit.updating(changes)
    }

    private static func status(_ status: TerminationStatus) -> Int32 {
        switch status {
        case .exited(let code): code
        case .signaled(let number): 128 + number
        }
    }
}
