import Majordomo
import MessageBus

/// A DEALER as plain peers use it: it reconnects by itself without a report, and keeps what it cannot send yet.
class PlainSocket: Peer {
    let version: MajordomoVersion
    private var backlog: [[Frame]] = []

    init(_ name: String, role: Role, _ version: MajordomoVersion, in world: World) {
        self.version = version
        super.init(name, role: role, in: world)
    }

    override func started() { reopen() }

    final func reopen() {
        connection.map { world.close($0) }
        backlog = []
        connection = world.connect(self)
    }

    override func connected() {
        let waiting = backlog
        backlog = []
        for frames in waiting { send(frames) }
    }

    override func lost() {
        connection.map { world.close($0) }
        connection = world.connect(self)
    }

    final func send(_ frames: [Frame]) {
        guard let connection, connection.isOpen || connection.isBroken else { return backlog.append(frames) }
        world.send(frames, over: connection)
    }
}
