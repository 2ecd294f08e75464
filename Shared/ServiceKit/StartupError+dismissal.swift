internal import Majordomo
internal import ProcessKit

extension StartupError {
    init(_ dismissal: WorkerDismissal, instance: String, service: String) {
        let (text, exitStatus) =
            switch dismissal {
            case .exclusive:
                (
                    "The broker refuses \(instance): another \(service) is registered, and there can be only one. "
                        + "Stop that one first; gateway workers names it.", ExitStatus.unavailable
                )
            case .doubled:
                (
                    "The broker expelled \(instance): another process has registered under this name. "
                        + "Stop one of the two, or give it a BOXOFFICE_INSTANCE of its own.", ExitStatus.unavailable
                )
            case .forbidden:
                (
                    "The broker refuses \(instance): its key is not that of a worker of \(service). "
                        + "Make one where the broker runs: broker keygen --worker \(service)/NAME.",
                    ExitStatus.noPermission
                )
            }
        self.init(text, exitStatus: exitStatus)
    }
}
