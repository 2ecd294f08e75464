/// The samples of one metric, as Prometheus reads them (text format 0.0.4).
struct MetricFamily: Equatable {
    enum Kind: String {
        case counter, gauge, histogram
    }

    struct Sample: Equatable {
        /// What follows the name of the family: "_bucket", "_sum", "_count" of a histogram.
        var suffix = ""
        var labels: [(name: String, value: String)]
        var value: Double

        static func == (left: Sample, right: Sample) -> Bool {
            left.suffix == right.suffix && left.value == right.value
                && left.labels.elementsEqual(right.labels) { $0 == $1 }
        }
    }

    /// With its unit, and `_total` for a counter: "boxoffice_requests_total".
    let name: String
    let kind: Kind
    let help: String
    private(set) var samples: [Sample] = []

    init(_ name: String, _ kind: Kind, _ help: String) {
        self.name = name
        self.kind = kind
        self.help = help
    }

    /// Adds a sample; nothing for an unknown value, which is never 0.
    mutating func add(_ value: Double?, _ labels: KeyValuePairs<String, String> = [:], suffix: String = "") {
        guard let value else { return }
        samples.append(Sample(suffix: suffix, labels: labels.map { ($0.key, $0.value) }, value: value))
    }

    /// Adds a bucket of a histogram.
    mutating func addBucket(_ count: Double, upTo bound: Double, _ labels: KeyValuePairs<String, String>) {
        let labels = labels.map { ($0.key, $0.value) } + [("le", bound.metricText)]
        samples.append(Sample(suffix: "_bucket", labels: labels, value: count))
    }

    mutating func add(_ count: Int?, _ labels: KeyValuePairs<String, String> = [:]) {
        add(count.map(Double.init), labels)
    }

    mutating func add(_ flag: Bool?, _ labels: KeyValuePairs<String, String> = [:]) {
        add(flag.map { $0 ? 1 : 0 }, labels)
    }
}

extension [MetricFamily] {
    /// The text of all families that have a sample.
    var text: String {
        var text = ""
        for family in self where !family.samples.isEmpty {
            text += "# HELP \(family.name) \(family.help.escaped(quotes: false))\n"
            text += "# TYPE \(family.name) \(family.kind.rawValue)\n"
            for sample in family.samples {
                text += "\(family.name)\(sample.suffix)"
                if !sample.labels.isEmpty {
                    let labels = sample.labels.map { "\($0.name)=\"\($0.value.escaped(quotes: true))\"" }
                    text += "{\(labels.joined(separator: ","))}"
                }
                text += " \(sample.value.metricText)\n"
            }
        }
        return text
    }
}

extension String {
    /// Labels contain what messages contain: names of instances, codes, hosts.
    fileprivate func escaped(quotes: Bool) -> String {
        var result = ""
        for scalar in unicodeScalars {
            switch scalar {
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\"" where quotes: result += "\\\""
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}

extension Double {
    /// A whole number without a fraction, since counters are counts.
    fileprivate var metricText: String {
        if self == .infinity { return "+Inf" }
        return Int(exactly: self).map(String.init) ?? "\(self)"
    }
}
