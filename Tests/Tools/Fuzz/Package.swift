// swift-tools-version: 6.3
import PackageDescription

// A package of its own, since everything in it, also the fuzzed libraries, is compiled for libFuzzer: without these
// flags there is no coverage feedback. `Tests/Tools/Fuzz/fuzz` builds it.
let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .treatAllWarnings(as: .error),
    .unsafeFlags([
        "-sanitize=fuzzer,address", "-enable-testing", "-profile-generate", "-profile-coverage-mapping",
    ]),
]

let deque = Target.Dependency.product(name: "DequeModule", package: "swift-collections")
let heap = Target.Dependency.product(name: "HeapModule", package: "swift-collections")

/// `Shared/<group>/<name>`.
func library(_ group: String, _ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: dependencies, path: "Shared/\(group)/\(name)", swiftSettings: settings)
}

let package = Package(
    name: "fuzz",
    dependencies: [.package(url: "https://github.com/apple/swift-collections", from: "1.6.0")],
    targets: [
        library("Base", "FlatJSON"),
        library("Base", "Localization"),
        library("Bus", "Envelope", ["FlatJSON", "Localization"]),
        library("Bus", "Majordomo", ["FlatJSON", deque, heap]),
        library("BoxOffice", "Domain"),
        .systemLibrary(name: "CLibFuzzer", path: "CLibFuzzer"),
        .executableTarget(
            name: "fuzz",
            dependencies: ["CLibFuzzer", "Domain", "Envelope", "FlatJSON", "Localization", "Majordomo", heap],
            path: "Targets",
            swiftSettings: settings,
            linkerSettings: [.unsafeFlags(["-sanitize=fuzzer,address", "-profile-generate", "-use-ld=lld"])]),
    ],
    swiftLanguageModes: [.v6]
)
