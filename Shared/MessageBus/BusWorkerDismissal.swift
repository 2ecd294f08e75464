/// The broker sent a worker away for good.
public enum BusWorkerDismissal: String, Error, Sendable {
    /// Its service takes one worker and has it.
    case exclusive
    /// Another process has registered under the same name.
    case doubled
}
