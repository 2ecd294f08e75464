import ArgumentParser
import BusSettings
import CommandKit
import Contracts
import Envelope
import Inspection
import Localization
import MessageBus
import ProcessKit
import ServiceKit
import TerminalText

struct DoctorCommand: AnsweringCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "doctor",
            abstract: say(
                "문제 진단 및 해결 방법 안내",
                "Diagnose problems and suggest fixes."),
            discussion: """
                EXAMPLES
                  \(Installation.gateway) doctor
                  \(Installation.gateway) doctor --bundle report.json    \(say("진단 자료를 파일로 저장", "a report to attach to a bug report"))

                \(say("스택이 시작되지 않으면", "If a stack does not start")): \(Installation.stack("doctor"))
                """)
    }

    @Option(
        help: .words(
            "진단 자료를 저장할 파일(키와 주소 제외)",
            "File to write a diagnostic bundle to, without keys and addresses."))
    var bundle: String?
    @Flag(help: .words("스택 없이 이 컴퓨터의 설정만 확인", "Check only the settings of this machine, without a stack."))
    var local = false
    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard !local || bundle == nil else {
            throw ValidationError.usage(
                "--local과 --bundle은 함께 쓸 수 없습니다. 하나만 지정하세요.",
                "--local and --bundle cannot be used together. Give one of them.")
        }
    }

    func answer(in context: CommandContext) async throws -> Answer {
        try await common.answer(in: context, runFolder: .optional) { commands in
            guard let bundle else {
                return local ? try commands.doctorOfSettings() : try await commands.doctor()
            }
            let report = SettingsReport(
                commands.settings, broker: common.endpoint.broker, language: context.languageOption,
                isColourless: common.noColor
            )
            return try await commands.doctor(report, bundle: bundle)
        }
    }
}

extension GatewayCommands {
    /// Checks everything that an answer depends on and reports for each problem what to do.
    func doctor() async throws -> Answer {
        try presentation.findings(await diagnose().findings)
    }

    /// Checks what needs no stack.
    func doctorOfSettings() throws -> Answer { try presentation.findings(localFindings) }

    private var localFindings: [Finding] {
        [Self.settings(settings), Self.locale(settings), Self.keyFiles(settings)]
    }

    /// The findings and the stack's report; nil when the stack reported nothing.
    func diagnose() async throws -> (findings: [Finding], healthCheck: HealthCheck?) {
        var findings = localFindings
        do {
            let start = ContinuousClock.now
            try await bus.ping(deadline: deadline)
            findings.append(Self.broker(after: .now - start))
            let healthCheck = HealthCheck(
                report: try await bus.stats(deadline: deadline),
                quota: try await askService(QuotaListRequest.kind, as: QuotaListReply.self),
                cache: try await askService(CacheStatsRequest.kind, as: CacheStatsReply.self),
                // That it does not answer is a finding about the services.
                archive: try? await askService(
                    ArchiveStatusRequest.kind, of: ServiceName.archive, as: ArchiveStatusReply.self
                ).get(),
                version: ProductVersion.current)
            return (findings + healthCheck.findings, healthCheck)
        } catch let failure as Failure {
            return (findings + [Self.unreachable(failure, isBroker: !findings.contains { $0.check == "broker" })], nil)
        }
    }

    /// The answer of a service, or the reason why there is none.
    private func askService<Reply: Decodable>(
        _ kind: String, of service: String = ServiceName.cacheStore, as _: Reply.Type
    ) async throws -> Result<Reply, Failure> {
        do {
            let bytes = try await bus.ask(
                service, kind, deadline: min(deadline, .now + MessageBus.inspectionLimit))
            return .success(try JSONBytes.decode(Reply.self, from: bytes))
        } catch let failure as Failure {
            return .failure(failure)
        } catch let error as DecodingError {
            return .failure(.malformedPayload(error))
        }
    }

    private static func settings(_ environment: Environment) -> Finding {
        if let level = environment["BOXOFFICE_LOG"], !ServiceProcess.logLevels.contains(level) {
            let known = ServiceProcess.logLevels.joined(separator: ", ")
            return Finding(
                check: "settings",
                what: LocalizedText(
                    ko: "\("BOXOFFICE_LOG=\(level.printable)".with(.topic)) 로그 수준이 아닙니다.",
                    en: "BOXOFFICE_LOG=\(level.printable) is not a log level."),
                fix: LocalizedText(ko: "다음 가운데 하나로 설정하세요: \(known)", en: "Set it to one of: \(known)"),
                exitStatus: ExitStatus.configuration)
        }
        guard let unknown = KnownSettings.unknown(in: environment).first.map(UnknownSetting.init) else {
            return Finding(
                check: "settings", what: LocalizedText(ko: "설정 이름에 문제가 없습니다.", en: "All names of settings are known."))
        }
        return Finding(
            check: "settings",
            what: LocalizedText(ko: "환경 변수 \(unknown.name)", en: "Environment variable \(unknown.name)"),
            fix: unknown.advice, exitStatus: ExitStatus.configuration)
    }

    private static func keyFiles(_ environment: Environment) -> Finding {
        guard let file = environment.secretFilesOpenToOthers.first else {
            return Finding(
                check: "keys",
                what: LocalizedText(ko: "다른 사용자가 읽을 수 있는 키 파일이 없습니다.", en: "No key file is readable by others."))
        }
        return Finding(
            check: "keys",
            what: LocalizedText(
                ko: "\(file.name)의 파일 \(file.path.with(.object)) 다른 사용자가 읽을 수 있습니다(권한 \(file.mode)).",
                en: "Others can read \(file.path), which \(file.name) names (mode \(file.mode))."),
            fix: LocalizedText(ko: "chmod 600 '\(file.path)'", en: "chmod 600 '\(file.path)'"))
    }

    private static func broker(after took: Duration) -> Finding {
        let time = took.wholeMicroseconds.milliseconds
        return Finding(
            check: "broker", what: LocalizedText(ko: "\(time) ms 만에 응답했습니다.", en: "Responded in \(time) ms."))
    }

    /// No further check is possible.
    private static func unreachable(_ failure: Failure, isBroker: Bool) -> Finding {
        Finding(
            check: isBroker ? "broker" : "services", what: failure.message,
            fix: LocalizedText(
                ko: "진단: \(Installation.stack("doctor"))", en: "Diagnose it: \(Installation.stack("doctor"))"),
            exitStatus: FailureText.exitStatus(failure.code))
    }

    static func locale(_ environment: Environment) -> Finding {
        let variable = ["LC_ALL", "LC_CTYPE"].first { environment[$0] != nil } ?? "LANG"
        let name = environment[variable] ?? "C"
        let plain = name.lowercased().replacing("-", with: "")
        guard !plain.contains("utf8") else {
            return Finding(
                check: "locale", what: LocalizedText(ko: "\(name): 한글을 표시할 수 있습니다.", en: "\(name) can show Hangul."))
        }
        return Finding(
            check: "locale",
            what: LocalizedText(ko: "\(name.with(.topic)) UTF-8이 아닙니다.", en: "\(name) is not a UTF-8 locale."),
            fix: LocalizedText(ko: "export \(variable)=C.UTF-8", en: "export \(variable)=C.UTF-8"),
            exitStatus: ExitStatus.configuration)
    }
}

extension Presentation {
    func findings(_ findings: [Finding]) throws -> Answer {
        let exitStatus = findings.first { !$0.isHealthy }?.exitStatus ?? ExitStatus.complete
        if isJSON {
            return Answer(
                output: try JSONBytes.encode(FindingsReport(ok: exitStatus == 0, findings: findings)),
                exitStatus: exitStatus)
        }
        let width = findings.map { self.width.columns($0.check) }.max() ?? 0
        return Answer(
            lines: findings.flatMap { finding in
                let mark = finding.isWarning ? style.yellow("!") : finding.isHealthy ? style.green("✓") : style.red("✗")
                let what = language(finding.what.ko, finding.what.en).printable
                let indent = width + 4
                let fix = finding.fix.map { String(repeating: " ", count: indent) + $0(language).printable }
                // Wrapped without the mark, whose colour has no width.
                let lines = wrapped(["  \(self.width.padded(finding.check, to: width))  \(what)"], indent: indent)
                return [mark + lines[0].dropFirst()] + lines.dropFirst()
                    + wrapped([fix].compactMap(\.self), indent: indent)
            }, exitStatus: exitStatus)
    }
}

private struct FindingsReport: Encodable {
    let ok: Bool
    let findings: [Finding]
}
