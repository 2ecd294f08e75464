import ProcessKit
import Testing

@Suite struct AddressTextTests {
    @Test(
        arguments: [
            ("nats://host:4222", "nats://host:4222"), ("http://u:pw@host/path", "http://***@host/path"),
            ("http://host/path?key=pw#pw", "http://host/path?***"), ("pw@host", "***@host"),
            ("u:pw@h1:1,nats://u:pw@h2:1", "***@h2:1"), ("pw@h1,nats://h2", "***@h1,nats://h2"),
            ("nats://u:p@a,nats://u:p@b", "nats://***@b"), ("http://u:p?w#@host", "http://***@host"),
            ("http://u:p://w@host", "http://***@host"), ("", ""), ("plain", "plain"), ("a\u{1B}b", "a\\u{1B}b"),
        ])
    func `an address is shown without user, password and query`(address: String, shown: String) {
        #expect(AddressText(address).description == shown)
    }
}
