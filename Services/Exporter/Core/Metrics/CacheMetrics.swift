import Contracts
import Domain

/// What cache-store knows, as metrics: the cache, the quota of the keys, the state of yesterday's chart.
enum CacheMetrics {
    static func families(_ stats: CacheStatsReply) -> [MetricFamily] {
        var lookups = MetricFamily("boxoffice_cache_lookups_total", .counter, "Requested keys, by the result.")
        lookups.add(stats.fresh, ["result": "fresh"])
        lookups.add(stats.stale, ["result": "stale"])
        lookups.add(stats.missing, ["result": "missing"])
        var disk = MetricFamily(
            "boxoffice_cache_disk_available", .gauge, "Whether the cache writes to its disk; 0: memory only.")
        disk.add(stats.diskFailure == nil)
        var damaged = MetricFamily(
            "boxoffice_cache_databases_set_aside_total", .counter, "Damaged databases that were replaced by empty ones."
        )
        damaged.add(stats.setAside.count)
        return [lookups, disk, damaged] + tierFamilies(stats.memory + [stats.disk])
    }

    private static func tierFamilies(_ tiers: [CacheStatsReply.Tier]) -> [MetricFamily] {
        func family(
            _ name: String, _ kind: MetricFamily.Kind, _ help: String, _ value: (CacheStatsReply.Tier) -> Int
        ) -> MetricFamily {
            var family = MetricFamily("boxoffice_cache_\(name)", kind, help)
            for tier in tiers { family.add(value(tier), ["tier": tier.name]) }
            return family
        }
        return [
            family("entries", .gauge, "Entries of a tier: a kind of part in memory, or the disk.", \.entries),
            family("size_bytes", .gauge, "Size of the entries.", \.bytes),
            family("limit_bytes", .gauge, "Size at which entries are evicted.", \.maxBytes),
            family("hits_total", .counter, "Requests that a tier answered.", \.hits),
            family("misses_total", .counter, "Requests that it could not answer.", \.misses),
            family("evictions_total", .counter, "Entries evicted for others.", \.evictions),
            family("damaged_entries_total", .counter, "Damaged entries that were removed.", \.damaged),
        ]
    }

    static func families(_ quota: QuotaListReply) -> [MetricFamily] {
        func family(_ name: String, _ help: String, _ value: (QuotaStatus) -> Int) -> MetricFamily {
            var family = MetricFamily("boxoffice_quota_\(name)", .gauge, help)
            for account in quota.accounts {
                family.add(value(account), ["upstream": account.upstream, "key": account.key])
            }
            return family
        }
        return [
            family("used_calls", "Calls of the day that a key has used; the key is a fingerprint.", \.used),
            family("left_calls", "Calls of the day that are left.", \.left),
            family("limit_calls", "Calls that a key has each day.", \.limit),
            family("exhausted", "Whether the upstream has refused a call for today.") { $0.isExhausted ? 1 : 0 },
        ]
    }

    /// - Parameters:
    ///   - entry: of yesterday's daily chart.
    ///   - now: Unix time in seconds.
    static func families(yesterday entry: CachedEntry, _ selection: ChartSelection, now: Double) -> [MetricFamily] {
        var cached = MetricFamily(
            "boxoffice_yesterday_chart_cached", .gauge, "Whether yesterday's daily chart is stored.")
        var provisional = MetricFamily(
            "boxoffice_yesterday_chart_provisional", .gauge,
            "Whether the stored chart of yesterday was fetched before it settled (noon in Seoul).")
        let isCached = entry.state.hasValue ?? false
        cached.add(isCached)
        if isCached {
            provisional.add(FreshnessPolicy().wasProvisional(selection, age: entry.age, now: now))
        }
        return [cached, provisional]
    }
}
