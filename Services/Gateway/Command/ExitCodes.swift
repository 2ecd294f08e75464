import ArgumentParser
import ServiceKit

struct ExitCodes: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "exit-codes", abstract: "What the exit codes mean.",
        discussion: """
              0  answered; in part or with old parts, too, unless --strict
             64  the command line cannot be understood
             65  the upstream answered nonsense, or refused in its own words
             66  no such film, poster, chart or query; offline: nothing stored
             69  the stack or the upstream cannot be reached
             70  a defect of these programs, or programs of different releases
             74  a file or stdout cannot be written
             75  try again later: too late, too much, not yet published; --strict: not all
             77  the upstream does not accept the key
             78  a key or setting is missing or wrong
            130  Ctrl-C; 143: ended by TERM

            Whoever closes the pipe has seen enough: that is 0.
            """)

    func run() async {
        await ServiceProcess.main { _ in
            _ = try LineOutput.write(Self.configuration.discussion)
            return ExitStatus.complete
        }
    }
}
