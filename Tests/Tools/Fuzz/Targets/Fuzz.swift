internal import CLibFuzzer

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Runs libFuzzer over the target that BOXOFFICE_FUZZ_TARGET names; without one it prints the names of all.
///
/// The arguments are libFuzzer's own, unchanged: it restarts itself with them to minimise a finding.
@main
struct Fuzz {
    private static let target = getenv("BOXOFFICE_FUZZ_TARGET")
        .flatMap { FuzzTarget(rawValue: String(cString: $0)) }

    static func main() {
        guard target != nil else {
            for target in FuzzTarget.allCases { print(target.rawValue) }
            return
        }
        var count = CommandLine.argc
        var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
        let status = LLVMFuzzerRunDriver(&count, &arguments) { data, size in
            Fuzz.target?.run(FuzzInput(UnsafeBufferPointer(start: data, count: size)))
            return 0
        }
        exit(status)
    }
}
