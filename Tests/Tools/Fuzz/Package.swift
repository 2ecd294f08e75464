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

func library(
    _ name: String, at path: String, _ dependencies: [Target.Dependency] = [], resources: [Resource] = []
) -> Target {
    .target(name: name, dependencies: dependencies, path: path, resources: resources, swiftSettings: settings)
}

let package = Package(
    name: "fuzz",
    dependencies: [.package(url: "https://github.com/apple/swift-collections", from: "1.6.0")],
    targets: [
        library("FlatJSON", at: "Shared/Base/FlatJSON"),
        library("Localization", at: "Shared/Base/Localization"),
        library(
            "ProcessKit", at: "Shared/Base/ProcessKit", ["Localization"],
            resources: [.embedInCode("boxoffice.conf")]),
        library("Envelope", at: "Shared/Bus/Envelope", ["FlatJSON", "Localization"]),
        library("MessageBus", at: "Shared/Bus/MessageBus", ["Envelope", "FlatJSON", "Localization", "ProcessKit"]),
        library("Majordomo", at: "Shared/Bus/Majordomo", ["FlatJSON", "MessageBus", deque, heap]),
        library("BrokerMachine", at: "Services/Broker/Machine", ["Majordomo", "MessageBus", deque, heap]),
        library("Domain", at: "Shared/BoxOffice/Domain"),
        .systemLibrary(name: "CLibFuzzer", path: "CLibFuzzer"),
        .executableTarget(
            name: "fuzz",
            dependencies: [
                "BrokerMachine", "CLibFuzzer", "Domain", "Envelope", "FlatJSON", "Localization", "Majordomo",
                "MessageBus", heap,
            ],
            path: "Targets",
            swiftSettings: settings,
            linkerSettings: [.unsafeFlags(["-sanitize=fuzzer,address", "-profile-generate", "-use-ld=lld"])]),
    ],
    swiftLanguageModes: [.v6]
)
