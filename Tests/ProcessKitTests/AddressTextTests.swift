import ProcessKit
import Testing

@Suite struct AddressTextTests {
    @Test(
        arguments: [
            ("nats://host:4222", "nats://host:4222"), ("http://u:pw@host/path", "http://***@host/path"),
            ("http://host/path?key=pw#pw", "http://host/path?***"), ("pw@host", "***@host"),
            ("nats://u:p@a,nats://u:p@b", "nats://***@b"), ("http://u:p?w#@host", "http://***@host"),
            ("http://u:p://w@host", "http://***@host"), ("", ""), ("plain", "plain"), ("a\u{1B}b", "a\\u{1B}b"),
        ])
    func `an address is shown without user, password and query`(address: String, shown: String) {
        #expect(AddressText(address).description == shown)
    }
}
