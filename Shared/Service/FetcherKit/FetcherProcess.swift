public import ArgumentParser
internal import AsyncHTTPClient
internal import CommandKit
internal import Contracts
internal import Domain
internal import Envelope
internal import Logging
internal import MessageBus
public import ProcessKit
internal import ServiceKit
public import Upstream

/// The options of every fetcher.
public struct FetcherOptions: ParsableArguments {
    @OptionGroup var service: ServiceOptions

    @Option(
        help: .words(
            "업스트림 응답을 저장할 폴더(기본값: $BOXOFFICE_RECORD)",
            "Folder to keep the upstream's answers in, for demo-upstream --recordings; default: $BOXOFFICE_RECORD."))
    var record: String?

    public init() {}

    /// The help text of the settings that all fetchers share.
    public static func discussion(_ upstream: UpstreamVariables, more: String = "") -> String {
        let failures = CircuitBreaker.Settings().failures
        return say(
            """
            필요한 설정: \(upstream.key)(또는 \(upstream.key)_FILE)
            \(upstream.baseURL): 호출할 호스트
            BOXOFFICE_BREAKER_FAILURES: 호출을 한동안 멈추는 연속 실패 횟수(기본값: \(failures))
            \(upstream.dailyLimit): 키의 하루 호출 한도\(more)
            SIGTERM을 받으면 처리 중인 요청을 마치고 종료합니다.
            """,
            """
            Needs \(upstream.key) (or \(upstream.key)_FILE). \(upstream.baseURL) sets another host. After \
            BOXOFFICE_BREAKER_FAILURES (\(failures)) failed calls in a row, the host is not called \
            for a while. \(upstream.dailyLimit) sets the key's calls per day.\(more) On SIGTERM it finishes its requests and exits.
            """)
    }

    /// Runs a fetcher until TERM.
    ///
    /// - Returns: the exit status.
    public func run<Source: Fetcher>(
        _ upstream: UpstreamVariables, _ environment: Environment, makeSource: (UpstreamAccess) throws -> Source
    ) async throws -> Int32 {
        try await runFetcher(self, upstream, environment: environment, makeSource: makeSource)
        return ExitStatus.complete
    }
}

/// Runs one HTTP client and one worker until TERM.
private func runFetcher<Source: Fetcher>(
    _ options: FetcherOptions, _ upstream: UpstreamVariables, environment: Environment,
    makeSource: (UpstreamAccess) throws -> Source
) async throws {
    let process = try ServiceProcess(name: Source.service, environment: environment)
    for file in environment.secretFilesOpenToOthers { process.logger.warning("\(file)") }
    let settings = try FetcherSettings(service: Source.service, environment)
    var breaker = CircuitBreaker.Settings()
    breaker.failures = settings.breakerFailures
    let source: Source
    do {
        // A check makes no folder.
        let folder = options.service.check ? nil : options.record ?? environment["BOXOFFICE_RECORD"]
        let recorder = try folder.map { folder in
            try UpstreamRecorder(folder: folder) { process.logger.warning("\($0)") }
        }
        source = try makeSource(environment.access(to: upstream, recorder: recorder))
    } catch let error as UpstreamError {
        throw StartupError(error.message, exitStatus: ExitStatus.configuration)
    }
    let client = HTTPClient(
        eventLoopGroupProvider: .singleton,
        configuration: HTTPClientTransport.clientConfiguration(connections: settings.concurrency))
    do {
        try await process.run(options.service) { bus in
            let breakers = CircuitBreakers(
                settings: breaker,
                onChange: { change in
                    process.logger.notice(
                        "a circuit breaker has changed",
                        metadata: ["host": "\(change.host)", "state": "\(UpstreamHealth(change).state.rawValue)"])
                    bus.publish(Event(change, source: bus.instance, clock: .system))
                })
            let gate = UpstreamGate(
                HTTPClientTransport(client: client), account: source.account, bus: bus, logger: process.logger,
                breakers: breakers, retry: source.retry, concurrency: settings.concurrency)
            return [
                WorkerService(
                    BusWorkerOptions(service: Source.service, capacity: settings.capacity), bus: bus,
                    logger: process.logger,
                    upstreams: gate.health,
                    handler: source.handler(
                        parts: PartFetcher(bus: bus, retry: source.retry, logger: process.logger), gate: gate))
            ]
        }
    } catch {
        try await client.shutdown()
        throw error
    }
    try await client.shutdown()
}
