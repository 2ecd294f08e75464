import Domain

/// Recorded bodies that answer in place of the generated world, byte for byte where they can.
///
/// The address of a recorded image is never passed on: its owner has not agreed to its use in a demo.
public struct RecordingOverlay: Sendable {
    /// Nothing recorded: the generated world answers everything.
    public static let none = RecordingOverlay()

    var charts: [ChartSelection: [UInt8]] = [:]
    var details: [String: [UInt8]] = [:]
    /// Pages of the catalogue.
    var searches: [FilmSearch: [UInt8]] = [:]
    /// Every film that a recorded chart or detail names, by code.
    var films: [String: RecordedFilm] = [:]
    var imagePages: [RecordedImagePage] = []

    /// A summary of the recordings, for a log line.
    public var summary: String {
        "\(charts.count) charts, \(details.count) details, \(searches.count) searches, \(imagePages.count) image pages, "
            + "\(films.count) films"
    }

    /// The recorded page for a query; a page for exactly this query takes precedence over one for the title.
    func imagePage(for query: ImageQuery) -> ImagePage? {
        let matching = imagePages.filter { $0.answers(query) }
        let exact = matching.first { page in
            if case .query = page.subject { true } else { false }
        }
        return (exact ?? matching.first)?.page
    }

    /// The films of that title, the latest first.
    func films(titled title: String) -> [RecordedFilm] {
        let title = ImageQuery.folded(title)
        let found = films.values.filter { ImageQuery.folded($0.title) == title }
        return found.sorted { ($1.releaseDay ?? .firstChart, $1.code) < ($0.releaseDay ?? .firstChart, $0.code) }
    }
}
