import Foundation
import TestSupport
import Testing

extension ProcessTests.CommandLineTests {
    /// Saves the image of a poster from an untrusted address to a file of the user. Without circuit breakers: each test
    /// is about its own fault.
    @Suite(.serialized, .stack(environment: ["BOXOFFICE_BREAKER_FAILURES": "0"])) struct PosterImageTests {
        struct Saved: Decodable {
            struct Image: Decodable {
                let source: String
                let number: Int?
                let url: String?
                let mediaType: String
                let width: Int
                let height: Int
            }

            let complete: Bool
            let image: Part<Image>
            let file: String
        }

        struct Unsaved: Decodable {
            let title: String?
            let complete: Bool
            let poster: Part<Poster>
            let image: Part<Saved.Image>
            let file: String?
        }

        static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47]

        let stack: TestStack

        init() throws {
            stack = try TestStack.shared
        }

        private func bytes(_ path: String) -> [UInt8]? {
            FileManager.default.contents(atPath: path).map(Array.init)
        }

        @Test func `the image is written and cached`() async throws {
            let path = "\(stack.runFolder)/poster.png"
            let first: Saved = try await stack.json("poster", "바람의 지도 제작자", "--save", path)
            #expect(first.complete && first.file == path && first.image.value?.source == "candidate")
            #expect(first.image.cache?.hit == false && first.image.cache?.stored == true)
            let written = try #require(bytes(path))
            #expect(written.starts(with: Self.png) && first.image.value?.mediaType == "image/png")
            let second: Saved = try await stack.json("poster", "바람의 지도 제작자", "--save", path)
            #expect(second.image.cache?.hit == true && bytes(path) == written)
            let text = try await stack.answered("poster", "바람의 지도 제작자", "--save", path)
            #expect(text.lines[0] == "저장했습니다: \(path)" && text.lines[1].contains("image/png"))
        }

        @Test(
            arguments: [
                ("key", "no_image"), ("html", "no_image"), ("empty", "no_image"), ("redirect", "no_image"),
                ("misdirected", "no_image"), ("huge", "no_image"), ("truncated", "image_unreachable"),
                ("closed", "image_unreachable"), ("error503", "image_unreachable"), ("slow", "image_unreachable"),
            ])
        func `without an image nothing is written and nothing cached`(fault: String, code: String) async throws {
            try await stack.answered("cache", "clear")
            let path = "\(stack.runFolder)/none.png"
            let result = try await stack.upstream.withFault(fault, path: "/posters/") {
                try await stack.gateway("poster", "유리 등대", "--save", path, "--lang", "en", "--timeout", "20")
            }
            #expect(result.status == 69 && result.output.isEmpty, "\(result)")
            #expect(
                result.errors.contains(/No image of the poster of .* tried [0-9]+ of [0-9]+ addresses \(.+\)/),
                "\(result)")
            #expect(bytes(path) == nil)
            let reported = try await stack.pastEvents().last { $0.kind == "poster.image.answered" }
            #expect(reported?.says("status", "failed") == true && reported?.says("code", code) == true)
            let stats: CacheTests.Stats = try await stack.json("cache", "stats")
            #expect(stats.memory.first { $0.name == "poster.image" }?.entries == 0)
            // A transient failure is retried, a permanent one is remembered.
            #expect(stats.failures == (code == "no_image" ? 1 : 0))
        }

        @Test func `a failure is also reported as JSON`() async throws {
            try await stack.answered("cache", "clear")
            let path = "\(stack.runFolder)/none.png"
            try await stack.upstream.withFault("key", path: "/posters/") {
                let reported: Unsaved = try await stack.json("poster", "유리 등대", "--save", path)
                #expect(!reported.complete && reported.file == nil && reported.poster.status == "ok")
                #expect(reported.title == "유리 등대")
                #expect(reported.image.status == "failed" && reported.image.failure?.code == "no_image")
            }
        }

        @Test func `a film code saves the pinned poster`() async throws {
            try await stack.answered("cache", "clear")
            try await stack.answered("show", "2019-03-15")
            let path = "\(stack.runFolder)/pinned.png"
            let first: Saved = try await stack.json("poster", "20199001", "--save", path)
            try await stack.answered("poster", "pin", "20199001", "3")
            let pinned: Saved = try await stack.json("poster", "20199001", "--save", path)
            #expect(pinned.complete && pinned.image.value?.url != first.image.value?.url)
            #expect(try await stack.answered("poster", "20199001", "--save", path).lines[0].hasSuffix("(고정됨)"))
            // A pinned poster needs no upstream call.
            try await stack.answered("cache", "clear")
            try await stack.upstream.withFault("error503") {
                let calls = try await stack.upstream.calls {
                    let kept: Saved = try await stack.json("poster", "20199001", "--save", path)
                    #expect(kept.complete && kept.image.value?.url == pinned.image.value?.url)
                }
                #expect(calls.isEmpty)
            }
            try await stack.answered("poster", "unpin", "20199001")
            let unknown = try await stack.gateway("poster", "20190000", "--save", path)
            #expect(unknown.status == 66 && unknown.errors.contains("영화"), "\(unknown)")
        }

        @Test func `a failing candidate is replaced by the next one`() async throws {
            try await stack.answered("cache", "clear")
            let found: FilmAnswer = try await stack.json("poster", "유리 등대")
            let chosen = try #require(found.poster?.value?.imageURL.split(separator: "/").last)
            let path = "\(stack.runFolder)/second.png"
            let result = try await stack.upstream.withFault("key", path: String(chosen)) {
                try await stack.answered("poster", "유리 등대", "--save", path)
            }
            #expect(result.output.contains("첫 이미지를 받지 못해 2번 후보를 저장했습니다."), "\(result)")
            #expect(bytes(path)?.starts(with: Self.png) == true)
        }

        @Test func `a failed write is reported and leaves the existing file`() async throws {
            for (path, reason) in [
                ("\(stack.runFolder)/no/such/folder.png", "에 저장하지 못했습니다: No such file or directory"),
                (stack.runFolder, " 일반 파일이 아니어서 쓰지 않았습니다"), ("/dev/null", " 일반 파일이 아니어서 쓰지 않았습니다"),
            ] {
                let result = try await stack.gateway("poster", "바람의 지도 제작자", "--save", path)
                #expect(result.status == 74 && result.output.isEmpty, "\(result)")
                #expect(result.errors.contains(path) && result.errors.contains(reason), "\(result)")
            }
            #expect(FileManager.default.fileExists(atPath: "\(stack.runFolder)/broker.ipc"))
        }
    }

    /// Where images are stored: in memory unless a setting enables the disk.
    @Suite(.serialized) struct KeptImageTests {
        @Test(arguments: [(nil, false), ("1", true)] as [(String?, Bool)])
        func `an image outlives cache-store only when the setting is on`(setting: String?, isKept: Bool) async throws {
            let environment = setting.map { ["BOXOFFICE_PERSIST_IMAGES": $0] } ?? [:]
            try await TestStack.run(environment: environment) { stack in
                let arguments = ["poster", "바람의 지도 제작자", "--json", "--save", "\(stack.runFolder)/a.png"]
                func save() async throws -> PosterImageTests.Saved {
                    try await stack.command(Repository.binaries + "/gateway", arguments).run().decoded()
                }
                #expect(try await save().image.cache?.stored == true)
                try await stack.watching { feed in
                    try await stack.crash("cache-store/1")
                    try await feed.first("broker.worker_joined") { $0.says("instance", "cache-store/1") }
                }
                let again = try await save()
                #expect(again.image.cache?.hit == isKept)
                let stats: CacheTests.Stats = try await stack.json("cache", "stats")
                #expect(stats.disk.entries == (isKept ? 2 : 1))
            }
        }
    }
}
