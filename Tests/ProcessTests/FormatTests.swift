import Foundation
import Testing

extension ProcessTests.CommandLineTests {
    /// Machine-readable output.
    @Suite(.serialized) struct FormatTests {
        let stack: TestStack

        init() throws {
            stack = try TestStack.shared
        }

        private func gateway(_ arguments: [String]) async throws -> CommandResult {
            try await stack.command(Repository.binaries + "/gateway", arguments).run()
        }

        /// The validator's messages for texts that must conform to a schema; empty when they do.
        private func complaints(_ texts: [String], schema: String) async throws -> String {
            let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            let files = try texts.indices.map { index in
                let file = folder.appending(path: "\(index).json")
                try Data(texts[index].utf8).write(to: file)
                return file.path
            }
            let schemas = try Repository.schemas
            let command = try stack.command(
                "/usr/bin/python3",
                ["-m", "jsonschema", "--base-uri", "file://\(schemas)/"] + files.flatMap { ["-i", $0] }
                    + ["\(schemas)/\(schema).schema.json"])
            let result = try await command.run()
            #expect((result.status == 0) == (result.output + result.errors).isEmpty, "\(result)")
            return result.output + result.errors
        }

        @Test(arguments: [
            // Complete, without a poster, with failed parts, and without a chart.
            (
                "show",
                [
                    "show 2019-03-15", "show 2019-03-16", "show 2019-03-15 --top 1 --explain",
                    "show 2018-07-07 --offline",
                ]
            ),
            (
                "chart",
                [
                    "chart 2019-03-15", "chart 2014-06-03 --weekend --area 서울 --nation korean",
                    "chart 2018-07-07 --offline",
                ]
            ),
            (
                "movie",
                [
                    "movie 20199001", "movie 2019A002 --date 2019-03-15", "movie 20180001 --offline",
                    "movie #7 --date 2019-03-15", "movie 의 --date 2019-03-15", "movie #1 --date 2019-03-15",
                ]
            ),
            ("poster", ["poster 20199001", "poster 유리등대", "poster xyz --offline", "poster #99"]),
            (
                "films",
                [
                    "show 2019-03-16 --fields title,posterStatus,directors", "chart 2019-03-15 --fields rank,reentry",
                    "movie 20199001 --fields runningMinutes,code", "search 등대 --limit 2 --fields code,companies",
                    "poster 20199001 --fields posterURL",
                    "show 2018-07-07 --offline --fields rank", "movie #99 --date 2019-03-15 --fields title",
                ]
            ),
            (
                "search",
                ["search 등대 --limit 3", "search xyz", "search 등대 --opened 2018 --explain", "search 등 --offline"]
            ),
            ("poster-candidates", ["poster pin 20199001"]), ("poster-pin", ["poster pin 20199001 1"]),
            ("poster-unpin", ["poster unpin 20199001"]), ("trace", ["trace"]), ("doctor", ["doctor"]),
            ("config", ["config", "config --broker tcp://192.0.2.1:5555 --lang en"]), ("ping", ["ping"]),
            ("workers", ["workers"]), ("quota", ["quota"]), ("cache-stats", ["cache stats"]),
            ("cache-removal", ["cache purge stale"]),
            ("stats", ["stats", "stats broker", "stats cache-store", "stats detail-fetcher/1"]),
            ("bench", ["bench 2019-03-15 --for 200ms", "bench 2019-03-15 --for 200ms --rate 100 --text"]),
        ])
        func `JSON output conforms to its schema`(schema: String, commands: [String]) async throws {
            var texts: [String] = []
            for command in commands {
                texts.append(try await gateway(command.split(separator: " ").map(String.init) + ["--json"]).output)
            }
            let complaints = try await complaints(texts, schema: schema)
            #expect(complaints.isEmpty, "\(complaints)")
        }

        @Test func `an instance without stats is listed as the schema states`() async throws {
            #expect(try await stack.launcher(["scale", "poster-resolver=0"]).status == 0)
            let stats = try await gateway(["stats", "--json"])
            #expect(try await stack.launcher(["scale", "poster-resolver=2"]).status == 0)
            #expect(stats.output.contains(#""missing":[{"failure":{"code":"unavailable""#), "\(stats)")
            let complaints = try await complaints([stats.output], schema: "stats")
            #expect(complaints.isEmpty, "\(complaints)")
        }

        @Test func `each line of watch conforms to its schema`() async throws {
            let result = try await stack.shell(#""$BIN/gateway" watch 2019-03-15 --json | head -n 1"#)
            #expect(result.output.count { $0 == "\n" } == 1)
            let complaints = try await complaints([result.output], schema: "show")
            #expect(complaints.isEmpty, "\(complaints)")
        }

        @Test func `a schema rejects a document that does not conform`() async throws {
            let good = try await stack.answered("show", "2019-03-15", "--json").output
            #expect(try await complaints([good], schema: "show").isEmpty)
            for (what, instead) in [
                (#""status":"ok""#, #""status":"fine""#), (#""complete":true"#, #""complete":"yes""#),
                (#""rank":1,"#, ""), (#""audience":134567,"#, #""audience":"134,567","#),
                (#""targetDate":"2019-03-15""#, #""targetDate":"15.3.2019""#),
            ] {
                try #require(good.contains(what))
                let complaints = try await complaints([good.replacing(what, with: instead)], schema: "show")
                #expect(!complaints.isEmpty, "\(what)")
            }
        }

        @Test func `the output for a saved poster conforms to its schema`() async throws {
            let file = stack.runFolder + "/poster.png"
            let saved = try await gateway(["poster", "20199001", "--save", file, "--json"])
            let none = try await gateway(["poster", "포스터 없는 밤", "--save", file, "--json"])
            #expect(saved.status == 0 && none.status == 66)
            let complaints = try await complaints([saved.output, none.output], schema: "poster-save")
            #expect(complaints.isEmpty, "\(complaints)")
        }

        @Test func `a record is one line and conforms to its schema`() async throws {
            for command in [
                "search 등대 --limit 2", "show 2019-03-16", "chart 2019-03-15", "movie 20199001", "poster 20199001",
            ] {
                let words = command.split(separator: " ").map(String.init)
                let lines = try await gateway(words + ["--format", "ndjson"]).lines.dropLast()
                #expect(!lines.isEmpty)
                let complaints = try await complaints(Array(lines), schema: "film-record")
                #expect(complaints.isEmpty, "\(complaints)")
            }
        }

        @Test func `tables are readable by spreadsheets`() async throws {
            let fields = "rank,title,audience,openingDay,directors,posterStatus"
            let csv = try await gateway(["show", "2019-03-15", "--format", "csv", "--fields", fields])
            #expect(
                csv.lines == [
                    fields, "1,유리 등대,134567,2019-03-14,하시험; 노가짜,ok", "2,바람의 지도 제작자,51234,2019-02-27,김보기; 박연습,ok",
                    "3,오래된 여름의 기차,987,,신본보기,ok", "",
                ])
            let tsv = try await gateway(["chart", "2019-03-15", "--format=tsv", "--fields=code,reentry,salesShare"])
            #expect(
                tsv.lines == [
                    "code\treentry\tsalesShare", "20199001\tfalse\t51.3", "2019A002\tfalse\t19.0",
                    "20199003\tfalse\t0.4",
                    "",
                ])
            // A pipe gets the same text without colour.
            let text = try await gateway(["show", "2019-03-15", "--format", "text"])
            let plain = try await gateway(["show", "2019-03-15", "--plain"])
            #expect(text.status == 0 && text.output == plain.output)
        }

        @Test func `JSON with field names is short for the fields option`() async throws {
            let short = try await gateway(["chart", "2019-03-15", "--json=rank,title"])
            let long = try await gateway(["chart", "2019-03-15", "--json", "--fields", "rank,title"])
            #expect(short.status == 0 && short.output == long.output)
            #expect(short.output.contains(#"{"rank":1,"title":"유리 등대"}"#))
        }

        @Test(arguments: [
            (
                "show 2013-03-03 --json=rank,ranks",
                "There is no field 'ranks' here. Did you mean 'rank'? Fields: date, rank,"
            ),
            ("movie 20199001 --json=rank", "There is no field 'rank' here. Fields: code, title,"),
            ("chart 2013-03-03 --format csv --fields=rank,", "There is no field '' here."),
            ("chart 2013-03-03 --fields rank", "--fields needs --json"),
            ("chart 2013-03-03 --json --format csv", "--json and --format exclude each other."),
            ("chart 2013-03-03 --format xml", "'xml'"), ("show 2013-03-03 --grid --wide", "--grid and --wide exclude"),
            ("poster 20199001 --save x.png --format csv", "--save prints its result as text or JSON only."),
        ])
        func `an impossible format is refused without an upstream call`(command: String, reason: String) async throws {
            let calls = try await stack.upstream.calls {
                let result = try await gateway(command.split(separator: " ").map(String.init))
                #expect(result.status == 64 && result.output.isEmpty && result.errors.contains(reason), "\(result)")
            }
            #expect(calls.isEmpty)
        }

        @Test func `an invalid width is refused`() async throws {
            let result = try await stack.gateway(
                "chart", "2019-03-15", environment: ["BOXOFFICE_AMBIGUOUS_WIDTH": "3"])
            #expect(result.status == 78 && result.errors.contains("BOXOFFICE_AMBIGUOUS_WIDTH=3"), "\(result)")
        }
    }
}
