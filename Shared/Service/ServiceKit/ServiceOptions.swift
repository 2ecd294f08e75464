public import ArgumentParser

/// The options of every service that joins the bus.
public struct ServiceOptions: ParsableArguments {
    @Option(help: "Endpoint of the broker (default: $BOXOFFICE_BROKER, else the run directory's).")
    var broker: String?

    @Flag(help: "Check the settings and exit: 0, or 78 with the setting that is wrong.")
    public var check = false

    public init() {}
}
