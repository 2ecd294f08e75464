#if os(Linux)
    import Foundation
    import Glibc
    import TestSupport
    import Testing

    @testable import ProcessKit

    struct ServiceManagerTests {
        @Test(arguments: [true, false])
        func `Readiness is a message to the manager's socket`(isAbstract: Bool) throws {
            let path = "/tmp/bo-\(UUID().uuidString)"
            let address = isAbstract ? "@\(path.dropFirst(5))" : path
            defer { unlink(path) }
            let listener = try #require(bound(to: address))
            defer { close(listener) }
            ServiceManager.notifyReady(Environment(["NOTIFY_SOCKET": address]))
            var buffer = [UInt8](repeating: 0, count: 64)
            let count = recv(listener, &buffer, buffer.count, Int32(MSG_DONTWAIT))
            #expect(String(decoding: buffer.prefix(max(0, count)), as: UTF8.self) == "READY=1")
        }

        @Test(arguments: [nil, "", "@", "/nowhere/at/all", "/" + String(repeating: "a", count: 200)])
        func `Without a manager that listens nothing happens`(address: String?) {
            ServiceManager.notifyReady(Environment(address.map { ["NOTIFY_SOCKET": $0] } ?? [:]))
        }

        private func bound(to address: String) -> Int32? {
            var name = sockaddr_un()
            name.sun_family = sa_family_t(AF_UNIX)
            var bytes = Array(address.utf8)
            if bytes[0] == UInt8(ascii: "@") { bytes[0] = 0 }
            withUnsafeMutableBytes(of: &name.sun_path) { $0.copyBytes(from: bytes) }
            let listener = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
            let length = socklen_t(MemoryLayout<sa_family_t>.size + bytes.count)
            let result = withUnsafePointer(to: &name) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(listener, $0, length) }
            }
            return result == 0 ? listener : nil
        }
    }
#endif
