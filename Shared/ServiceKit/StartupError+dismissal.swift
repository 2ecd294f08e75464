internal import Majordomo
internal import ProcessKit

extension StartupError {
    init(_ dismissal: WorkerDismissal, instance: String, service: String) {
        let text =
            switch dismissal {
            case .exclusive:
                "The broker refuses \(instance): another \(service) is registered, and there can be only one. "
                    + "Stop that one first; gateway workers names it."
            case .doubled:
                "The broker expelled \(instance): another process has registered under this name. "
                    + "Stop one of the two, or give it a BOXOFFICE_INSTANCE of its own."
            }
        self.init(text, exitStatus: ExitStatus.unavailable)
    }
}
