import TestSupport
import Testing

/// The built binaries, started by `compose/stack`: what only processes show.
@Suite(.tags(.process), .timeLimit(.minutes(3)), .retried) enum ProcessTests {
    // Two lanes of suites, since each stack is eight processes and some of them measure themselves against the clock.

    /// What is asked of a stack, and how it is told.
    @Suite(.serialized) enum Questions {}

    /// How processes and whole stacks start, die, come back and end.
    @Suite(.serialized) enum Lives {}
}
