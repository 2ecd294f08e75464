import Contracts
import Localization
import ProcessKit

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension KeyFolder {
    /// A file that may list a key, by the role and the service that its folder means.
    struct Listing {
        let file: KeyFile
        let role: Role
        /// Of a worker.
        let service: String?
    }

    /// The files of public keys in the folders of all roles, the least role first.
    ///
    /// - Parameter refuse: called with the error of each folder that cannot be read, or is none of ours.
    func listings(_ refuse: (StartupError) throws -> Void) rethrows -> [Listing] {
        var listings = try files(of: .client, refuse)
        for service in try names(in: folder(of: .worker), refuse) {
            if ServiceDescription.named(service) == nil {
                try refuse(
                    StartupError(
                        LocalizedText(
                            ko: "\(folder(of: .worker))/\(service): 그런 이름의 서비스가 없습니다. 폴더를 옮기거나 지우세요.",
                            en:
                                "\(folder(of: .worker))/\(service) is the folder of no service. Move it away, or remove it."
                        ),
                        exitStatus: ExitStatus.configuration))
            } else {
                listings += try files(of: .worker, service: service, refuse)
            }
        }
        return try listings + files(of: .stackOperator, refuse)
    }

    private func files(
        of role: Role, service: String? = nil, _ refuse: (StartupError) throws -> Void
    ) rethrows -> [Listing] {
        let path = folder(of: role, service: service)
        return try names(in: path, refuse).filter { $0.hasSuffix(".pub") }.map {
            Listing(file: KeyFile("\(path)/\($0)", .public), role: role, service: service)
        }
    }

    private func names(in path: String, _ refuse: (StartupError) throws -> Void) rethrows -> [String] {
        do {
            return try FileManager.default.contentsOfDirectory(atPath: path).sorted()
        } catch {
            let reason = error.systemReason.map { ": \($0)" } ?? ""
            try refuse(
                StartupError(
                    LocalizedText(
                        ko: "키 폴더 \(path.with(.object)) 읽을 수 없습니다\(reason).",
                        en: "The key folder \(path) cannot be read\(reason)."),
                    exitStatus: ExitStatus.configuration))
            return []
        }
    }
}
