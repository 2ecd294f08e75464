/// Percentages as KOBIS writes them, in integer arithmetic so that no rounding depends on a formatter.
enum WirePercent {
    enum Decimals: Sendable {
        /// "411": as in the charts of a day.
        case whenNeeded
        /// "411.0": as in the charts of a week.
        case always
    }

    /// A change against the time before: "-15.3", and 100 when nothing was before.
    static func change(from before: Int64, to now: Int64, decimals: Decimals = .whenNeeded) -> String {
        let tenths = before > 0 ? rounded((now - before) * 1000, by: before) : 1000
        return tenths % 10 == 0 && decimals == .whenNeeded ? String(tenths / 10) : text(ofTenths: tenths)
    }

    /// A share of the whole, always with one decimal: "34.2", "1.0".
    static func share(of part: Int64, in whole: Int64) -> String {
        guard whole > 0 else { return "0.0" }
        return text(ofTenths: rounded(part * 1000, by: whole))
    }

    private static func rounded(_ dividend: Int64, by divisor: Int64) -> Int64 {
        let half = dividend < 0 ? -divisor / 2 : divisor / 2
        return (dividend + half) / divisor
    }

    private static func text(ofTenths tenths: Int64) -> String {
        "\(tenths < 0 ? "-" : "")\(abs(tenths) / 10).\(abs(tenths) % 10)"
    }
}
