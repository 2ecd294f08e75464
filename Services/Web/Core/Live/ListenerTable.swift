import HTTPKit

/// The open streams of events, bounded in total and per address.
///
/// A pure value.
struct ListenerTable: Sendable {
    private let maxTotal: Int
    private let maxPerAddress: Int
    private(set) var total = 0
    private var perAddress: [ClientAddress: Int] = [:]

    init(maxTotal: Int, maxPerAddress: Int) {
        self.maxTotal = maxTotal
        self.maxPerAddress = maxPerAddress
    }

    /// - Parameter address: nil for a client without a limit of its own.
    /// - Returns: false when no further stream is possible.
    mutating func open(from address: ClientAddress?) -> Bool {
        guard canOpen(from: address) else { return false }
        total += 1
        if let address { perAddress[address, default: 0] += 1 }
        return true
    }

    func canOpen(from address: ClientAddress?) -> Bool {
        total < maxTotal && address.map { perAddress[$0, default: 0] < maxPerAddress } ?? true
    }

    mutating func close(from address: ClientAddress?) {
        total = max(0, total - 1)
        guard let address, let count = perAddress[address] else { return }
        perAddress[address] = count > 1 ? count - 1 : nil
    }
}
