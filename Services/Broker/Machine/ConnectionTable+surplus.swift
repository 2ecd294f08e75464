internal import Majordomo

extension ConnectionTable {
    /// The connection is being shut down; its end has not been reported yet.
    ///
    /// - Returns: false when it has ended, or is being shut down already.
    public mutating func markEnding(_ place: Place) -> Bool {
        guard let index = connections.index(forKey: place), !connections.values[index].isEnding else { return false }
        connections.values[index].isEnding = true
        openCount -= 1
        return true
    }

    /// The connections to shut down when more than `limit` are open, so that a sixteenth of the limit is free again.
    ///
    /// First those that have not completed their handshake, then the others; in both groups, the newest of the owner
    /// with the most connections, so that a flood ends its own connections.
    public func surplus(above limit: Int, at now: Duration) -> [Connection] {
        guard openCount > limit else { return [] }
        let count = openCount - (limit - limit / 16)
        let open = connections.values.filter { !$0.isEnding }
        let incomplete = Self.newest(count, of: open.filter { isInHandshake($0, at: now) })
        guard incomplete.count < count else { return incomplete }
        return incomplete + Self.newest(count - incomplete.count, of: open.filter { !isInHandshake($0, at: now) })
    }

    /// libzmq does not report which handshake succeeded: it is complete after a message, or after the handshake limit.
    private func isInHandshake(_ connection: Connection, at now: Duration) -> Bool {
        connection.deliveredBytes == 0 && now < connection.acceptedAt + handshakeLimit
    }

    private static func newest(_ count: Int, of connections: [Connection]) -> [Connection] {
        let groups = Dictionary(grouping: connections, by: \.owner)
        var queues = groups.values.map { $0.sorted { $0.number < $1.number } }
        // In a fixed order, so that a simulation repeats itself.
        queues.sort { $0[0].number < $1[0].number }
        var newest: [Connection] = []
        while newest.count < count, let index = queues.indices.max(by: { queues[$0].count < queues[$1].count }),
            let next = queues[index].popLast()
        {
            newest.append(next)
        }
        return newest
    }
}
