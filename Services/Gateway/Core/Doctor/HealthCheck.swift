import Contracts
import Envelope
import Inspection
import Localization
import MessageBus
import ProcessKit
import TerminalText

/// Derives findings from what a stack reports; a pure function of its answers.
struct HealthCheck: Sendable {
    let report: StatsReport
    let quota: Result<QuotaListReply, Failure>
    let cache: Result<CacheStatsReply, Failure>
    /// Nil when the stack has no archive.
    var archive: ArchiveStatusReply?
    /// The release of this program.
    let version: String

    var findings: [Finding] {
        [services, versions, upstreams, check("quota", quota, calls), check("cache", cache, disk)]
            + ((try? cache.get()).map { [databases($0)] } ?? []) + (archive.map { [charts($0)] } ?? [])
            + foreignServices
    }

    private func charts(_ archive: ArchiveStatusReply) -> Finding {
        if let moved = archive.setAside {
            return Finding(
                check: "archive",
                what: LocalizedText(
                    ko: "손상된 아카이브를 옮기고 새로 만들었습니다: \(moved).",
                    en: "A damaged archive was moved aside and replaced: \(moved)."),
                fix: LocalizedText(
                    ko: "디스크를 검사하고 백업을 복원하거나, \(Installation.gateway) archive fill로 다시 채우세요.",
                    en: "Check the disk. Restore a backup, or fill it again: \(Installation.gateway) archive fill"),
                exitStatus: ExitStatus.inputOutput)
        }
        if let paused = archive.orders.first(where: { $0.state == .paused && $0.failure != nil }) {
            return Finding(
                check: "archive",
                what: LocalizedText(
                    ko: "채우기 작업 \(paused.id)번이 실패하여 일시 중지되었습니다.", en: "Fill \(paused.id) is paused after a failure."),
                fix: LocalizedText(
                    ko:
                        "\(Installation.gateway) archive status로 이유를 확인하고, \(Installation.gateway) archive resume으로 재개하세요.",
                    en:
                        "See the reason: \(Installation.gateway) archive status. Then: \(Installation.gateway) archive resume"
                ),
                exitStatus: ExitStatus.temporary)
        }
        let count = archive.years.reduce(0) { $0 + $1.settled + $1.provisional + $1.empty }.withSeparators
        return Finding(
            check: "archive", what: LocalizedText(ko: "차트 \(count)개가 저장되어 있습니다.", en: "\(count) charts are archived."))
    }

    private var instances: [ServiceStats] { ownServices.flatMap(\.instances) }
    private var ownServices: [StatsReport.Service] { report.services.filter { Self.isOwn($0.name) } }
    private static func isOwn(_ name: String) -> Bool { (ServiceName.all + ServiceName.optional).contains(name) }

    /// A check that could not be made counts as failed.
    private func check<Reply>(
        _ name: String, _ reply: Result<Reply, Failure>, _ finding: (Reply) -> Finding
    ) -> Finding {
        switch reply {
        case .success(let reply): finding(reply)
        case .failure(let failure):
            Finding(
                check: name,
                what: LocalizedText(
                    ko: "확인하지 못했습니다: \(failure.message.ko)", en: "This could not be checked: \(failure.message.en)"),
                fix: LocalizedText(
                    ko: "확인하세요: \(Installation.stack("ps")). 그다음: \(Installation.stack("restart cache-store"))",
                    en: "Check: \(Installation.stack("ps")). Then: \(Installation.stack("restart cache-store"))"),
                exitStatus: max(FailureText.exitStatus(failure.code), 1))
        }
    }

    /// Services of other programs are not part of the stack: they are listed, but are no problem.
    private var foreignServices: [Finding] {
        let names = report.services.map(\.name).filter { !Self.isOwn($0) }
        guard !names.isEmpty else { return [] }
        let list = names.joined(separator: ", ")
        return [
            Finding(
                check: "foreign",
                what: LocalizedText(ko: "다른 프로그램의 서비스: \(list)", en: "Services of other programs: \(list)"))
        ]
    }

    /// Data that is damaged on the disk.
    private func databases(_ cache: CacheStatsReply) -> Finding {
        let damaged = cache.disk.damaged + cache.damagedState
        if let deleted = cache.deleted.first { return Self.deleted(deleted) }
        guard let moved = cache.setAside.first else {
            guard damaged > 0 else {
                return Finding(
                    check: "databases", what: LocalizedText(ko: "손상된 데이터가 없습니다.", en: "No damage found."))
            }
            return Finding(
                check: "databases",
                what: LocalizedText(
                    ko: "저장된 항목 \(cache.disk.damaged)개와 고정·호출 수 \(cache.damagedState)개가 손상되어 지웠습니다.",
                    en:
                        "\(cache.disk.damaged) stored entries and \(cache.damagedState) pins or counts were damaged and removed."
                ),
                fix: LocalizedText(
                    ko: "디스크를 검사하세요. 사라진 고정은 \(Installation.gateway) poster pin으로 다시 하세요.",
                    en: "Check the disk. Pin again what is missing: \(Installation.gateway) poster pin"),
                exitStatus: ExitStatus.inputOutput)
        }
        return Finding(
            check: "databases",
            what: LocalizedText(
                ko: "손상된 데이터베이스를 옮기고 새로 만들었습니다: \(moved). 그 안의 내용은 사라졌습니다.",
                en: "A damaged database was moved aside and replaced: \(moved). What it held is lost."),
            fix: LocalizedText(
                ko: "디스크를 검사하고, 사라진 고정은 \(Installation.gateway) poster pin으로 다시 하세요.",
                en: "Check the disk, and pin again what is missing: \(Installation.gateway) poster pin"),
            exitStatus: ExitStatus.inputOutput)
    }

    private static func deleted(_ path: String) -> Finding {
        Finding(
            check: "databases",
            what: LocalizedText(
                ko: "사용 중인 데이터베이스가 삭제되거나 교체되어 다시 열었습니다: \(path). 캐시 항목은 사라졌을 수 있습니다.",
                en:
                    "A database was deleted or replaced while in use, and was opened again: \(path). Cached entries may be lost."
            ),
            fix: LocalizedText(
                ko:
                    "실행 중에는 이 폴더의 파일을 지우지 마세요(캐시 삭제: \(Installation.gateway) cache clear). 확인 후: \(Installation.stack("restart cache-store"))",
                en:
                    "Do not delete files in that folder while the stack runs (to clear the cache: \(Installation.gateway) cache clear). "
                    + "To confirm: \(Installation.stack("restart cache-store"))"),
            exitStatus: ExitStatus.inputOutput)
    }

    private var services: Finding {
        let silent = ownServices.filter { $0.instances.isEmpty || !$0.missing.isEmpty }
        guard let first = silent.first?.name else {
            let count = instances.count
            return Finding(
                check: "services",
                what: LocalizedText(ko: "서비스 인스턴스 \(count)개가 모두 응답합니다.", en: "All \(count) instances respond."))
        }
        let names = silent.flatMap { $0.missing.isEmpty ? [$0.name] : $0.missing.map(\.id) }.joined(separator: ", ")
        return Finding(
            check: "services", what: LocalizedText(ko: "답하지 않습니다: \(names)", en: "Not all answer: \(names)"),
            fix: LocalizedText(
                ko: "다시 시작하세요: \(Installation.stack("restart \(first)")). "
                    + "목록(\(Installation.stack("ps")))에 없으면: \(Installation.stack("scale \(first)=1"))",
                en: "Replace it: \(Installation.stack("restart \(first)")). "
                    + "If \(Installation.stack("ps")) has none: \(Installation.stack("scale \(first)=1"))"),
            exitStatus: ExitStatus.unavailable)
    }

    private var versions: Finding {
        let others = ([report.broker].compactMap(\.self) + instances).filter { $0.version != version }
        guard let other = others.first else {
            return Finding(check: "versions", what: LocalizedText(ko: "모두 \(version)입니다.", en: "All are \(version)."))
        }
        return Finding(
            check: "versions",
            what: LocalizedText(
                ko: "\(other.id.with(.topic)) \(other.version), gateway는 \(version)입니다.",
                en: "\(other.id) is \(other.version), gateway is \(version)."),
            fix: LocalizedText(
                ko: "모두 같은 버전으로 빌드하거나 설치하고: \(Installation.stack("restart all"))",
                en: "Build or install all in one version, then: \(Installation.stack("restart all"))"),
            exitStatus: ExitStatus.software)
    }

    private var upstreams: Finding {
        let open = instances.flatMap { instance in
            (instance.upstreams ?? []).filter { $0.state != .closed }.map { (instance.id, $0) }
        }
        guard let (id, health) = open.first else {
            return Finding(
                check: "upstreams", what: LocalizedText(ko: "일시 중지된 업스트림이 없습니다.", en: "No upstream is paused."))
        }
        return Finding(
            check: "upstreams",
            what: LocalizedText(
                ko:
                    "\(health.host.with(.subject)) 잇달아 \(health.failuresInARow)번 답하지 않아 \(id.with(.subject)) 잠시 묻지 않습니다.",
                en: "\(health.host) has failed \(health.failuresInARow) times in a row, and \(id) has paused its calls."
            ),
            fix: LocalizedText(
                ko: "네트워크와 그 호스트를 확인하세요. 답하면 저절로 다시 묻습니다.",
                en: "Look at the network and at that host; it is asked again by itself once it answers."),
            exitStatus: ExitStatus.unavailable)
    }

    private func calls(_ quota: QuotaListReply) -> Finding {
        if let empty = quota.accounts.first(where: { $0.isExhausted || $0.left <= 0 }) {
            return Finding(
                check: "quota",
                what: LocalizedText(
                    ko: "\(empty.upstream)의 오늘 호출 \(empty.limit)번을 다 썼습니다.",
                    en: "Today's \(empty.limit) calls of \(empty.upstream) are used up."),
                fix: LocalizedText(
                    ko: "\(empty.resetsAt)에 다시 생깁니다. 그때까지 저장된 것으로 답합니다(--offline).",
                    en: "There are new ones at \(empty.resetsAt); until then what is stored answers (--offline)."),
                exitStatus: ExitStatus.temporary)
        }
        let left = quota.accounts.map { "\($0.upstream) \($0.left.withSeparators)" }.joined(separator: ", ")
        return Finding(
            check: "quota",
            what: left.isEmpty
                ? LocalizedText(ko: "오늘은 아직 부르지 않았습니다.", en: "No call has been made today.")
                : LocalizedText(ko: "남은 호출: \(left)", en: "Calls left: \(left)"))
    }

    private func disk(_ cache: CacheStatsReply) -> Finding {
        guard let reason = cache.diskFailure ?? (try? quota.get())?.diskFailure else {
            return Finding(
                check: "cache",
                what: LocalizedText(
                    ko: "디스크에 \(cache.disk.entries.withSeparators)개 항목이 있습니다.",
                    en: "\(cache.disk.entries.withSeparators) entries are on disk."))
        }
        return Finding(
            check: "cache",
            what: LocalizedText(
                ko: "디스크 캐시를 쓸 수 없어 메모리로 동작합니다: \(reason)", en: "Disk cache unavailable; serving from memory: \(reason)"
            ),
            fix: Self.fix(diskFailure: reason), exitStatus: ExitStatus.inputOutput)
    }

    /// The store tries again by itself.
    ///
    /// - Parameter reason: begins with the code of a failure of storage.
    private static func fix(diskFailure reason: String) -> LocalizedText {
        switch reason.prefix(while: { $0 != ":" }) {
        case "busy":
            LocalizedText(
                ko: "다른 프로그램이 파일을 잠그고 있습니다. 그 프로그램을 끝내세요(찾기: fuser 파일).",
                en: "Another program has locked the file: end it (to find it: fuser FILE).")
        case "disk_full":
            LocalizedText(ko: "디스크 공간을 확보하세요.", en: "Make room on the disk.")
        default:
            LocalizedText(
                ko: "BOXOFFICE_CACHE_DIR의 폴더와 파일을 쓸 수 있게 하세요.",
                en: "Make the folder of BOXOFFICE_CACHE_DIR and its files writable.")
        }
    }
}

/// The result of one check of `gateway doctor`, with a fix for a problem.
struct Finding: Sendable, Equatable {
    /// A word such as "broker".
    let check: String
    let what: LocalizedText
    /// nil when there is nothing to do.
    var fix: LocalizedText?
    /// The program's exit status when this is the first failure; 0 for a warning.
    var exitStatus: Int32 = 0

    var isHealthy: Bool { exitStatus == 0 }
    /// A risk that does not prevent operation.
    var isWarning: Bool { isHealthy && fix != nil }
}

extension Finding: Encodable {
    private enum CodingKeys: CodingKey {
        case check, ok, warning, what, fix
    }

    /// Encodes every key; a healthy item has a null fix.
    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(check, forKey: .check)
        try container.encode(isHealthy, forKey: .ok)
        try container.encode(isWarning, forKey: .warning)
        try container.encode(what, forKey: .what)
        try container.encode(fix, forKey: .fix)
    }
}
