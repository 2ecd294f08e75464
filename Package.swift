// swift-tools-version: 6.3
import PackageDescription

/// One list of settings for every target.
let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .treatAllWarnings(as: .error),
]

/// Packs the relocations into a thirtieth of their space: a process reads all of them at its start and keeps them in memory.
let linkerSettings: [LinkerSetting] = [
    .unsafeFlags(["-use-ld=lld", "-Xlinker", "-z", "-Xlinker", "pack-relative-relocs"], .when(platforms: [.linux]))
]

/// For programs that start often and live for milliseconds: without the libraries of Swift to load and bind, they begin
/// in two thirds of the time. Those that stay share the libraries instead.
let staticStandardLibrary: [LinkerSetting] = [
    // The driver forgets the last two, which FoundationEssentials needs.
    .unsafeFlags(
        ["-static-stdlib", "-l_FoundationCollections", "-l_FoundationCShims"],
        .when(platforms: [.linux], configuration: .release))
]

let argumentParser = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let inMemoryLogging = Target.Dependency.product(name: "InMemoryLogging", package: "swift-log")
let lifecycle = Target.Dependency.product(name: "ServiceLifecycle", package: "swift-service-lifecycle")
let unixSignals = Target.Dependency.product(name: "UnixSignals", package: "swift-service-lifecycle")
let deque = Target.Dependency.product(name: "DequeModule", package: "swift-collections")
let heap = Target.Dependency.product(name: "HeapModule", package: "swift-collections")
let histogram = Target.Dependency.product(name: "Histogram", package: "hdrhistogram-swift")
let httpClient = Target.Dependency.product(name: "AsyncHTTPClient", package: "async-http-client")
let nioCore = Target.Dependency.product(name: "NIOCore", package: "swift-nio")
let nioHTTP1 = Target.Dependency.product(name: "NIOHTTP1", package: "swift-nio")
let httpTypes = Target.Dependency.product(name: "HTTPTypes", package: "swift-http-types")
let nioSSL = Target.Dependency.product(name: "NIOSSL", package: "swift-nio-ssl")
let nioTLS = Target.Dependency.product(name: "NIOTLS", package: "swift-nio")
let nioPosix = Target.Dependency.product(name: "NIOPosix", package: "swift-nio")
let hummingbirdCore = Target.Dependency.product(name: "HummingbirdCore", package: "hummingbird")
let hummingbirdTesting = Target.Dependency.product(name: "HummingbirdTesting", package: "hummingbird")
let hummingbird = Target.Dependency.product(name: "Hummingbird", package: "hummingbird")
let grdb = Target.Dependency.product(name: "GRDB", package: "GRDB.swift")
let subprocess = Target.Dependency.product(name: "Subprocess", package: "swift-subprocess")
let system = Target.Dependency.product(name: "SystemPackage", package: "swift-system")

/// A library that services share: `Shared/<group>/<name>`. `Shared/README.md` says which groups it may import.
func library(_ path: String, _ dependencies: [Target.Dependency] = [], resources: [Resource] = []) -> Target {
    .target(
        name: moduleName(path), dependencies: dependencies, path: "Shared/\(path)", resources: resources,
        swiftSettings: settings)
}

/// A module map of a library in C: `Shared/<group>/<name>`.
func systemLibrary(_ path: String, apt: String? = nil, brew: String? = nil) -> Target {
    let providers = [apt.map { SystemPackageProvider.apt([$0]) }, brew.map { .brew([$0]) }].compactMap { $0 }
    return .systemLibrary(name: moduleName(path), path: "Shared/\(path)", providers: providers)
}

func moduleName(_ path: String) -> String { path.split(separator: "/").last.map(String.init) ?? path }

/// A service: its logic in `Services/<name>/Core`, its executable in `Services/<name>/Command`.
///
/// - Parameters:
///   - machine: of its pure state machines in `Services/<name>/Machine`; nil without any.
///   - extraLinkerSettings: settings of its link beside those of all.
func service(
    _ name: String, executable: String, machine: [Target.Dependency]? = nil, core: [Target.Dependency],
    command: [Target.Dependency], extraLinkerSettings: [LinkerSetting] = []
) -> [Target] {
    let machines = machine.map {
        Target.target(
            name: "\(name)Machine", dependencies: $0, path: "Services/\(name)/Machine", swiftSettings: settings)
    }
    return [machines].compactMap(\.self) + [
        .target(
            name: "\(name)Core", dependencies: core + (machines == nil ? [] : [.target(name: "\(name)Machine")]),
            path: "Services/\(name)/Core", swiftSettings: settings),
        .executableTarget(
            name: executable, dependencies: [.target(name: "\(name)Core"), argumentParser] + command,
            path: "Services/\(name)/Command", swiftSettings: settings,
            linkerSettings: linkerSettings + extraLinkerSettings),
    ]
}

/// A service that fetches parts from an upstream, through the cache.
func fetcher(_ name: String, executable: String, core: [Target.Dependency] = []) -> [Target] {
    service(
        name, executable: executable,
        core: boxOffice + ["FetcherKit", "Upstream"] + core,
        command: ["CommandKit", "FetcherKit", "ProcessKit", "ServiceKit"])
}

/// The tests of a module: `Tests/Units/<module>Tests`.
func tests(_ module: String, _ dependencies: [Target.Dependency], resources: [Resource] = []) -> Target {
    .testTarget(
        name: "\(module)Tests", dependencies: dependencies, path: "Tests/Units/\(module)Tests", resources: resources,
        swiftSettings: settings)
}

/// What nearly every module above the bus needs, and every one above the box office.
let onBus: [Target.Dependency] = ["Envelope", "Localization", "MessageBus", "ProcessKit"]
let boxOffice: [Target.Dependency] = onBus + ["Contracts", "Domain"]

let package = Package(
    name: "boxoffice",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(url: "https://github.com/HdrHistogram/hdrhistogram-swift", from: "0.2.0"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
        .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.2"),
    ],
    targets: [
        // Base
        systemLibrary("Base/CPollLoop"),
        systemLibrary("Base/CZlib", apt: "zlib1g-dev", brew: "zlib"),
        library("Base/FlatJSON"),
        library("Base/Localization"),
        library("Base/PollLoop", ["CPollLoop"]),
        library("Base/ProcessKit", ["Localization"], resources: [.embedInCode("boxoffice.conf")]),
        library("Base/Zlib", ["CZlib"]),
        // Bus
        systemLibrary("Bus/CNATS", apt: "libnats-dev", brew: "cnats"),
        systemLibrary("Bus/CZeroMQ", apt: "libzmq3-dev", brew: "zeromq"),
        library("Bus/Envelope", ["FlatJSON", "Localization"]),
        library(
            "Bus/BusSettings", onBus + ["Majordomo", "MajordomoBus", "NATS"],
            resources: [.embedInCode("run-folder.conf")]),
        library("Bus/Majordomo", ["FlatJSON", "MessageBus", deque, heap]),
        library("Bus/MajordomoBus", onBus + ["Majordomo", "PollLoop", "ZeroMQ"]),
        library("Bus/MessageBus", ["Envelope", "FlatJSON", "Localization", "ProcessKit"]),
        library("Bus/NATS", onBus + ["CNATS", "FlatJSON", "PollLoop", deque]),
        library("Bus/ZeroMQ", ["CZeroMQ", "PollLoop"]),
        // BoxOffice
        library("BoxOffice/Assembly", boxOffice + ["FlatJSON", "Zlib"]),
        library(
            "BoxOffice/Contracts", ["Domain", "Envelope", "FlatJSON"], resources: [.embedInCode("services.json")]),
        library("BoxOffice/Domain"),
        library("BoxOffice/Records", boxOffice + ["Assembly", "FlatJSON", "Wording"]),
        library("BoxOffice/Schemas", resources: [.embedInCode("JSON")]),
        library("BoxOffice/Wording", boxOffice + ["Assembly"]),
        // Upstream
        library("Upstream/Kobis", ["Domain", "Recordings", "Upstream"]),
        library("Upstream/Recordings", ["Domain"]),
        library(
            "Upstream/Upstream",
            ["Domain", "ProcessKit", "Recordings", httpClient, nioCore, nioHTTP1, nioPosix, nioSSL]),
        // Service
        systemLibrary("Service/CMemory"),
        library("Service/CommandKit", ["Localization", "ProcessKit", argumentParser, unixSignals]),
        library("Service/EventLog", boxOffice),
        library("Service/EventText", boxOffice + ["EventLog", "TerminalText"]),
        library(
            "Service/FetcherKit",
            boxOffice + ["CommandKit", "ServiceKit", "Upstream", argumentParser, deque, httpClient, logging]),
        library("Service/HTTPKit", ["CMemory", httpTypes, hummingbirdCore, nioCore, nioHTTP1, nioPosix]),
        library("Service/Inspection", boxOffice),
        library(
            "Service/ServiceKit",
            boxOffice + ["BusSettings", "CommandKit", argumentParser, histogram, lifecycle, logging, unixSignals]),
        library("Service/Storage", ["ProcessKit", grdb, logging]),
        library("Service/TerminalText", ["ProcessKit"]),

        .executableTarget(
            name: "bus-bench",
            dependencies: boxOffice + ["ServiceKit", argumentParser, lifecycle],
            path: "Tests/Tools/Benchmarks/BusBench", swiftSettings: settings),
        .executableTarget(
            name: "bus-floor", path: "Tests/Tools/Benchmarks/BusFloor",
            cSettings: [.unsafeFlags(["-Wall", "-Wextra", "-Werror"])], linkerSettings: [.linkedLibrary("zmq")]),
        .executableTarget(
            name: "nats-floor", path: "Tests/Tools/Benchmarks/NATSFloor",
            cSettings: [.unsafeFlags(["-Wall", "-Wextra", "-Werror"])], linkerSettings: [.linkedLibrary("nats")]),
        .executableTarget(
            name: "web-floor", dependencies: [hummingbird, httpTypes, logging, nioCore],
            path: "Tests/Tools/Benchmarks/WebFloor",
            swiftSettings: settings),
        .executableTarget(
            name: "majordomo-simulation",
            dependencies: [
                "ArchiveMachine", "BrokerMachine", "CacheStoreMachine", "Contracts", "Domain", "Envelope", "Majordomo",
                "MessageBus",
            ],
            path: "Tests/Tools/Simulation/Sources", swiftSettings: settings),
        tests("PollLoop", ["PollLoop"]),
        tests("NATS", onBus + ["NATS", "PollLoop", "TestSupport"]),
        tests("BusSettings", onBus + ["BusSettings", "Majordomo", "MajordomoBus", "NATS", "TestSupport"]),
        tests("ZeroMQ", ["PollLoop", "ZeroMQ"]),
        tests("Zlib", ["CZlib", "Zlib"]),
        tests("Majordomo", ["Majordomo", "MessageBus", "TestSupport"]),
        tests("BrokerMachine", ["BrokerMachine", "Majordomo", "MessageBus", "TestSupport", heap]),
        .target(
            name: "TestSupport",
            dependencies: boxOffice + [
                "ArchiveCore", "Assembly", "BrokerCore", "CacheStoreCore", "ChartFetcherCore", "DemoUpstreamCore",
                "DetailFetcherCore",
                "FetcherKit", "Majordomo", "MajordomoBus", "NATS", "PosterResolverCore", "ServiceKit", "Upstream",
                httpClient, lifecycle, logging,
            ],
            path: "Tests/Support/TestSupport", resources: [.copy("Fixtures")], swiftSettings: settings),
        tests(
            "MessageBus",
            [
                "BrokerCore", "Contracts", "Envelope", "Localization", "Majordomo", "MajordomoBus", "MessageBus",
                "NATS", "PollLoop", "ProcessKit", "TestSupport", "ZeroMQ",
            ]),
        tests(
            "FetcherKit",
            boxOffice + [
                "DemoUpstreamCore", "FetcherKit", "Kobis", "PosterResolverCore", "ServiceKit", "TestSupport",
                "Upstream", httpClient, logging, nioCore, nioHTTP1,
            ]),
        tests(
            "Broker",
            boxOffice + [
                "BrokerCore", "BrokerMachine", "BusSettings", "Majordomo", "MajordomoBus", "NATS", "PollLoop",
                "ServiceKit", "TestSupport", "ZeroMQ", inMemoryLogging, logging,
            ]),
        tests("Envelope", ["Envelope", "FlatJSON", "Localization"]),
        tests("Domain", ["Domain"]),
        tests(
            "Web",
            boxOffice + [
                "Assembly", "HTTPKit", "TestSupport", "WebCore", httpClient, httpTypes, hummingbird, hummingbirdTesting,
                lifecycle, logging, nioCore, nioHTTP1, nioPosix,
            ]),
        tests("HTTPKit", ["HTTPKit", httpTypes, hummingbird, hummingbirdCore, logging, lifecycle, nioCore, nioPosix]),
        tests("Recordings", ["Domain", "Recordings"]),
        tests("Contracts", ["Contracts", "Domain", "Envelope", "FlatJSON", "Localization"]),
        tests(
            "Messages",
            boxOffice + [
                "Assembly", "BrokerCore", "BrokerMachine", "GatewayCore", "Majordomo", "MajordomoBus", "ServiceKit",
                "TerminalText", "TestSupport",
            ]),
        tests("Localization", ["Localization"]),
        tests("ProcessKit", ["ProcessKit", "ServiceKit", "TestSupport"]),
        tests("CommandKit", ["CommandKit", "Localization", "ProcessKit", argumentParser]),
        tests("Assembly", boxOffice + ["Assembly", "ServiceKit", "TerminalText", "TestSupport"]),
        tests("ServiceKit", boxOffice + ["Majordomo", "MajordomoBus", "ServiceKit", "TestSupport", logging]),
        tests(
            "Gateway",
            boxOffice + [
                "Assembly", "GatewayCore", "Inspection", "Records", "Schemas", "ServiceKit", "TerminalText",
                "TestSupport",
                "Upstream", "Wording", logging, subprocess,
            ]),
        tests("TerminalText", ["Localization", "ProcessKit", "TerminalText"]),
        tests("EventLog", onBus + ["EventLog", "EventText", "TerminalText"]),
        tests("Tap", onBus + ["EventLog", "EventText", "TapCore", "TerminalText", "TestSupport", "ZeroMQ"]),
        .testTarget(
            name: "ProcessTests",
            dependencies: [
                "CacheStoreCore", "Contracts", "Domain", "Envelope", "MessageBus", "TerminalText", "TestSupport", grdb,
                subprocess, system,
            ],
            path: "Tests/Processes", exclude: ["Failures.md"], resources: [.copy("Fixtures"), .copy("Screens")],
            swiftSettings: settings),
        tests("PosterResolver", ["Domain", "PosterResolverCore", "TestSupport", "Upstream", nioCore]),
        tests(
            "Upstream",
            [
                "Domain", "Kobis", "PosterResolverCore", "TestSupport", "Upstream", httpClient, nioCore, nioPosix,
                nioSSL, nioTLS,
            ],
            resources: [.copy("Fixtures")]),
        tests(
            "Archive",
            [
                "ArchiveCore", "ArchiveMachine", "Assembly", "Contracts", "DemoUpstreamCore", "Domain", "Envelope",
                "MessageBus", "ProcessKit", "ServiceKit", "Storage", "TestSupport", grdb, logging,
            ],
            resources: [.copy("Fixtures")]),
        tests(
            "CacheStore",
            [
                "CacheStoreCore", "CacheStoreMachine", "Domain", "Envelope", "ProcessKit", "Storage", "TestSupport",
                grdb,
                inMemoryLogging, logging,
            ]),
        tests(
            "Exporter", boxOffice + ["ExporterCore", "HTTPKit", "ServiceKit", "TestSupport", httpTypes, hummingbird]),
        tests(
            "DemoUpstream",
            [
                "CZlib", "DemoUpstreamCore", "Domain", "ProcessKit", "TestSupport", httpClient, logging, nioCore,
                nioHTTP1,
            ]),
    ]
        + service(
            "Broker", executable: "broker", machine: ["Majordomo", "MessageBus", deque, heap],
            core: boxOffice + [
                "BusSettings", "CSodium", "FlatJSON", "Majordomo", "NATS", "PollLoop", "ServiceKit", "ZeroMQ", deque,
                lifecycle, logging,
            ],
            command: [
                "AcceptBound", "BusSettings", "CommandKit", "Contracts", "Localization", "ProcessKit", "ServiceKit",
            ])
        + [
            .target(name: "AcceptBound", path: "Services/Broker/AcceptBound"),
            .systemLibrary(
                name: "CSodium", path: "Services/Broker/CSodium",
                providers: [.apt(["libsodium-dev"]), .brew(["libsodium"])]),
        ]
        + fetcher("ChartFetcher", executable: "chart-fetcher", core: ["Kobis"])
        + fetcher("DetailFetcher", executable: "detail-fetcher", core: ["Kobis", "ServiceKit"])
        + fetcher(
            "PosterResolver", executable: "poster-resolver",
            core: ["Recordings", "ServiceKit", nioCore, nioHTTP1, nioPosix, nioSSL])
        + service(
            "Archive", executable: "archive", machine: ["Contracts", "Domain", "Envelope"],
            core: boxOffice + ["Assembly", "CMemory", "ServiceKit", "Storage", grdb, lifecycle, logging],
            command: ["CommandKit", "Contracts", "ProcessKit", "ServiceKit"])
        + service(
            "CacheStore", executable: "cache-store", machine: ["Domain"],
            core: boxOffice + ["ServiceKit", "Storage", grdb, lifecycle, logging],
            command: ["CommandKit", "Contracts", "ProcessKit", "ServiceKit"])
        + service(
            "Gateway", executable: "gateway",
            core: boxOffice + [
                "Assembly", "BusSettings", "CommandKit", "EventLog", "EventText", "FlatJSON", "Inspection",
                "Records", "ServiceKit", "TerminalText", "Wording", argumentParser, subprocess,
            ],
            command: ["ProcessKit", "ServiceKit"],
            extraLinkerSettings: staticStandardLibrary)
        + service(
            "Tap", executable: "tap",
            core: boxOffice + ["CommandKit", "EventLog", "EventText", "ServiceKit", "TerminalText", argumentParser],
            command: ["ProcessKit", "ServiceKit"], extraLinkerSettings: staticStandardLibrary)
        + [
            .target(
                name: "WebCore",
                dependencies: boxOffice + [
                    "Assembly", "CommandKit", "EventLog", "HTTPKit", "Records", "Schemas", "ServiceKit", "Wording",
                    "Zlib", deque, httpTypes,
                    hummingbird, hummingbirdCore, lifecycle, logging, nioCore,
                ],
                path: "Services/Web", exclude: ["Command"], sources: ["Core"],
                resources: [.embedInCode("Assets")], swiftSettings: settings),
            .executableTarget(
                name: "web",
                dependencies: onBus + [
                    "BusSettings", "CommandKit", "Domain", "ServiceKit", "WebCore", "Wording", argumentParser,
                ],
                path: "Services/Web/Command", swiftSettings: settings, linkerSettings: linkerSettings),
        ]
        + service(
            "Exporter", executable: "exporter",
            core: boxOffice + [
                "HTTPKit", "Inspection", "ServiceKit", httpClient, httpTypes, hummingbird, hummingbirdCore, lifecycle,
                logging, nioCore, nioHTTP1, nioPosix,
            ],
            command: ["CommandKit", "ProcessKit", "ServiceKit"])
        + service(
            "DemoUpstream", executable: "demo-upstream",
            core: ["Domain", "Recordings", "Zlib", httpTypes, hummingbird, lifecycle, logging, nioCore],
            command: ["CommandKit", "Localization", "ProcessKit", "ServiceKit", lifecycle, logging, unixSignals]),
    swiftLanguageModes: [.v6]
)
