import Testing

/// Tests of the built binaries, started by `compose/stack`: what only whole processes can show.
///
/// `compose/test` runs each nested suite as a lane; within it, the suites run one after the other.
@Suite(.tags(.process), .timeLimit(.minutes(3))) enum ProcessTests {
    /// Requests to a stack, and how their results are printed.
    ///
    /// Suites that change nothing share one stack for the whole run; the others start their own.
    @Suite(.serialized, .stack()) enum CommandLineTests {}

    /// How processes and whole stacks start, crash, restart and end.
    @Suite(.serialized) enum LifecycleTests {}

    /// The same over servers of NATS.
    @Suite(.serialized) enum NATSLifecycleTests {}

    /// What makes and removes network interfaces: a browser drops its downloads when one comes or goes.
    @Suite(.serialized) enum NetworkChangeTests {}
}
