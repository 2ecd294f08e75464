#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

@main
struct Simulation {
    private static let usageCode: Int32 = 64

    static func main() async {
        let arguments = CommandLine.arguments.dropFirst()
        guard let options = SimulationOptions(arguments) else {
            let isAsked = arguments.contains { $0 == "--help" || $0 == "-h" }
            write(SimulationOptions.usage, to: isAsked ? STDOUT_FILENO : STDERR_FILENO)
            exit(isAsked ? 0 : usageCode)
        }
        let start = ContinuousClock.now
        let cores = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
        let outcome = await Campaign(options: options, workers: cores).run()
        let rate = Double(outcome.tally.schedules) / ((ContinuousClock.now - start) / .seconds(1))

        if let failure = outcome.failure {
            report(failure)
            exit(1)
        }
        if options.isLogging {
            for offset in 0..<UInt64(options.schedules) {
                let seed = options.seed + offset
                for line in Campaign.log(of: seed, options.law(of: seed)) { write(line, to: STDOUT_FILENO) }
            }
        } else {
            write(outcome.tally.summary, to: STDOUT_FILENO)
        }
        // On a line of its own, since it differs between runs.
        write("\(Int(rate)) schedules/s on \(cores) cores", to: STDERR_FILENO)
        // Schedules in which nothing happens prove nothing.
        if options.schedules >= 10_000, options.law == nil, !outcome.tally.unseen.isEmpty {
            write("never happened: \(outcome.tally.unseen.joined(separator: ", "))", to: STDERR_FILENO)
            exit(1)
        }
    }

    private static func report(_ failure: Campaign.Failure) {
        for line in failure.lines { write(line, to: STDOUT_FILENO) }
        let network = failure.law.rawValue
        write("seed \(failure.seed) over the \(network) network: \(failure.rule.rawValue)", to: STDERR_FILENO)
        write("  \(failure.detail)", to: STDERR_FILENO)
        let replay = "Tests/Tools/Simulation/simulation --schedules 1 --seed \(failure.seed) --network \(network)"
        write("replay: \(replay)", to: STDERR_FILENO)
    }

    private static func write(_ line: String, to descriptor: Int32) {
        var bytes = Array((line + "\n").utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { systemWrite(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else { return }
            bytes = bytes.dropFirst(count)
        }
    }
}

/// `write`, under a name that `Simulation.write` does not hide.
private let systemWrite = write
