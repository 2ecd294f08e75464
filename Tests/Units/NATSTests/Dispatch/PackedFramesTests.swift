import Majordomo
import MessageBus
import Testing

@testable import NATS

@Suite struct PackedFramesTests {
    @Test(
        arguments: [
            [], [[]], [[1, 2, 3]], [[], [9], []], [Array(repeating: 7, count: 70_000), [1]],
            Array(repeating: [5], count: PackedFrames.maxFrames),
        ] as [[Frame]])
    func `frames are the same after a journey`(frames: [Frame]) {
        #expect(PackedFrames.unpack(PackedFrames.pack(frames)) == frames)
    }

    @Test func `the form is fixed`() {
        #expect(
            PackedFrames.pack([[0xA, 0xB], []]) == [0, 2, 0, 0, 0, 2, 0, 0, 0, 0, 0xA, 0xB])
    }

    @Test func `a payload that is cut off or longer is none`() {
        let packed = PackedFrames.pack([[1, 2, 3], [], [4]])
        for length in packed.indices { #expect(PackedFrames.unpack(Array(packed.prefix(length))) == nil) }
        #expect(PackedFrames.unpack(packed + [0]) == nil)
    }

    @Test func `no foreign payload traps, and what is read has all of its bytes`() {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<20_000 {
            var bytes = (0..<Int.random(in: 0...40, using: &generator)).map { _ in
                UInt8.random(in: 0...3, using: &generator)
            }
            if bytes.count > 1, Bool.random(using: &generator) { bytes[0] = 0 }
            guard let frames = PackedFrames.unpack(bytes) else { continue }
            #expect(PackedFrames.pack(frames) == bytes)
        }
        #expect(PackedFrames.unpack(Array(repeating: 0xFF, count: 100_000)) == nil)
    }
}
