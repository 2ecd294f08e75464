import Testing

/// The built binaries, started by `compose/stack`: what only processes show.
///
/// Two lanes, which `compose/test` runs beside each other; within one the suites run one after the other.
@Suite(.tags(.process), .timeLimit(.minutes(3))) enum ProcessTests {
    /// What is asked of a stack, and how it is told.
    @Suite(.serialized) enum CommandLineTests {}

    /// How processes and whole stacks start, die, come back and end.
    @Suite(.serialized) enum LifecycleTests {}
}
