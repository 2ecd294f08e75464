import CacheStoreMachine
import Testing

@Suite struct LeaseIDTests {
    @Test(arguments: [(0, 0, "0-0"), (0x9F2C, 17, "9f2c-17"), (.max, .max, "ffffffffffffffff-18446744073709551615")])
    func `a lease is equal after conversion to text and back`(epoch: UInt64, number: UInt64, text: String) {
        let lease = LeaseID(epoch: epoch, number: number)
        #expect(lease.description == text)
        #expect(LeaseID(text) == lease)
    }

    @Test(arguments: ["", "-", "1", "1-", "-1", "1-2-3", "x-1", "1-a", "1 -2", "10000000000000000-1"])
    func `any other text is not a lease`(text: String) {
        #expect(LeaseID(text) == nil)
    }
}
