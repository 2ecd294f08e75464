/// The JSON schemas of all answers, which the executable contains.
public enum Schemas {
    /// By file name, as in "show.schema.json"; schemas refer to each other by these names.
    public static let all: [String: [UInt8]] = [
        "archive-fill.schema.json": PackageResources.archive_fill_schema_json,
        "archive-status.schema.json": PackageResources.archive_status_schema_json,
        "bench.schema.json": PackageResources.bench_schema_json,
        "cache-removal.schema.json": PackageResources.cache_removal_schema_json,
        "cache-stats.schema.json": PackageResources.cache_stats_schema_json,
        "chart-range.schema.json": PackageResources.chart_range_schema_json,
        "chart.schema.json": PackageResources.chart_schema_json,
        "config.schema.json": PackageResources.config_schema_json,
        "doctor.schema.json": PackageResources.doctor_schema_json,
        "film-record.schema.json": PackageResources.film_record_schema_json,
        "films.schema.json": PackageResources.films_schema_json,
        "history.schema.json": PackageResources.history_schema_json,
        "movie.schema.json": PackageResources.movie_schema_json,
        "parts.schema.json": PackageResources.parts_schema_json,
        "ping.schema.json": PackageResources.ping_schema_json,
        "poster-candidates.schema.json": PackageResources.poster_candidates_schema_json,
        "poster-pin.schema.json": PackageResources.poster_pin_schema_json,
        "poster-save.schema.json": PackageResources.poster_save_schema_json,
        "poster-unpin.schema.json": PackageResources.poster_unpin_schema_json,
        "poster.schema.json": PackageResources.poster_schema_json,
        "quota.schema.json": PackageResources.quota_schema_json,
        "run.schema.json": PackageResources.run_schema_json,
        "search.schema.json": PackageResources.search_schema_json,
        "show.schema.json": PackageResources.show_schema_json,
        "stats.schema.json": PackageResources.stats_schema_json,
        "trace.schema.json": PackageResources.trace_schema_json,
        "workers.schema.json": PackageResources.workers_schema_json,
    ]
}
