import Contracts
import Envelope
import MessageBus
public import ServiceKit
import TerminalText

extension GatewayCommands {
    /// Looks at everything that an answer needs, and says of each what to do if it is not well.
    public func doctor(_ environment: Environment) async throws -> Answer {
        try presentation.findings(await examined(environment).findings)
    }

    /// What was found, and what the stack told; nil when it told nothing.
    func examined(_ environment: Environment) async throws -> (findings: [Finding], examination: Examination?) {
        var findings = [Self.locale(environment)]
        do {
            let start = ContinuousClock.now
            _ = try await bus.inspect("mmi.ping", deadline: deadline)
            findings.append(Self.broker(after: .now - start))
            let examination = Examination(
                report: try await statsReport(of: nil),
                quota: try await told(QuotaListRequest.kind, as: QuotaListReply.self),
                cache: try await told(CacheStatsRequest.kind, as: CacheStatsReply.self),
                version: ProductVersion.current)
            return (findings + examination.findings, examination)
        } catch let failure as Failure {
            return (findings + [Self.unreachable(failure, isBroker: findings.count == 1)], nil)
        }
    }

    /// What cache-store says; nil when it does not.
    private func told<Reply: Decodable>(_ kind: String, as _: Reply.Type) async throws -> Reply? {
        do {
            return try JSONBytes.decode(
                Reply.self,
                from: try await bus.ask(ServiceName.cacheStore, kind, deadline: min(deadline, .now + .seconds(2))))
        } catch is Failure {
            return nil
        }
    }

    private static func broker(after took: Duration) -> Finding {
        let time = took.wholeMicroseconds.milliseconds
        return Finding(
            check: "broker", what: LocalizedText(ko: "\(time) ms 만에 답합니다.", en: "It answers within \(time) ms."))
    }

    /// Nothing else can be looked at.
    private static func unreachable(_ failure: Failure, isBroker: Bool) -> Finding {
        Finding(
            check: isBroker ? "broker" : "services", what: failure.message,
            fix: LocalizedText(
                ko: "compose/stack doctor가 까닭을 찾습니다. 없으면 시작하세요: compose/stack up --demo",
                en: "compose/stack doctor finds the reason. If there is none, start one: compose/stack up --demo"),
            exitStatus: FailureText.exitStatus(failure.code))
    }

    static func locale(_ environment: Environment) -> Finding {
        let variable = ["LC_ALL", "LC_CTYPE"].first { environment[$0] != nil } ?? "LANG"
        let name = environment[variable] ?? "C"
        let plain = name.lowercased().replacing("-", with: "")
        guard !plain.contains("utf8") else {
            return Finding(check: "locale", what: LocalizedText(ko: "\(name): 한글이 보입니다.", en: "\(name) shows Hangul."))
        }
        return Finding(
            check: "locale",
            what: LocalizedText(ko: "\(name)은(는) UTF-8이 아닙니다.", en: "\(name) is no UTF-8 locale."),
            fix: LocalizedText(ko: "export \(variable)=C.UTF-8", en: "export \(variable)=C.UTF-8"),
            exitStatus: ExitStatus.configuration)
    }
}

extension Presentation {
    func findings(_ findings: [Finding]) throws -> Answer {
        let exitStatus = findings.first { !$0.isWell }?.exitStatus ?? ExitStatus.complete
        if isJSON {
            return Answer(
                output: try JSONBytes.encode(FindingsReport(ok: exitStatus == 0, findings: findings)),
                exitStatus: exitStatus)
        }
        let width = findings.map { self.width.columns($0.check) }.max() ?? 0
        let indent = String(repeating: " ", count: width + 4)
        return Answer(
            lines: findings.flatMap { finding in
                let mark = finding.isWell ? style.green("✓") : style.red("✗")
                let what = language(finding.what.ko, finding.what.en).printable
                return ["\(mark) \(self.width.padded(finding.check, to: width))  \(what)"]
                    + (finding.fix.map { ["\(indent)\(language($0.ko, $0.en).printable)"] } ?? [])
            }, exitStatus: exitStatus)
    }
}

private struct FindingsReport: Encodable {
    let ok: Bool
    let findings: [Finding]
}
