import ArgumentParser
import EventLog
import TapCore
import TerminalText

/// Options for the selection and the form of the output.
struct DisplayOptions: ParsableArguments {
    @Option(help: "Only what this service or instance says or does, as in detail-fetcher/2; may be repeated.")
    var service: [String] = []
    @Option(help: "Only events (with --match, requests) of this kind, * for any text; may be repeated.")
    var kind: [String] = []
    @Option(help: "None of this kind; may be repeated.")
    var exclude: [String] = []
    @Option(help: ArgumentHelp("One query as a tree, by the first digits of its id.", valueName: "id"))
    var query: String?
    @Flag(help: "Each request with its answer and the time between, as one line.")
    var match = false
    @Flag(help: "Rates, errors, times, cache hits and shares: a live table, or one at the end when piped.")
    var stats = false
    @Flag(help: "JSON, one object a line.")
    var json = false

    func validate() throws {
        guard !(match && stats) else { throw ValidationError("--match and --stats exclude each other.") }
        guard (kind + exclude).allSatisfy({ NamePattern($0) != nil }) else {
            throw ValidationError("--kind and --exclude take a kind such as chart.daily.answered, or chart.*.")
        }
        guard service.allSatisfy({ !$0.isEmpty }) else {
            throw ValidationError(
                "--service takes a service such as detail-fetcher, or an instance such as detail-fetcher/2.")
        }
        if let query {
            guard Conversation.isPrefix(query.lowercased()) else {
                throw ValidationError(
                    "--query takes the first 4 to 16 digits of a query's id, as tap shows it: 5aefbff7.")
            }
            guard match || stats || (kind + exclude + service).isEmpty else {
                throw ValidationError(
                    "A query is shown as a whole: --query takes --service, --kind and --exclude only with --match.")
            }
        }
    }

    func view(_ terminal: Terminal) -> any TapView {
        var selection = EventSelection()
        selection.services = service
        selection.kinds = kind.compactMap(NamePattern.init)
        selection.excludedKinds = exclude.compactMap(NamePattern.init)
        selection.query = query?.lowercased()
        if match { return ExchangeView(selection, isJSON: json, terminal: terminal) }
        if stats { return StatisticsView(selection, isJSON: json, terminal: terminal) }
        if let query { return ConversationView(query.lowercased(), isJSON: json, terminal: terminal) }
        return EventView(selection, isJSON: json, terminal: terminal)
    }
}
