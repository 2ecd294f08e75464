import Foundation
import Schemas
import Subprocess
import TestSupport
import Testing

/// Machine-readable output.
@Suite(.timeLimit(.minutes(1)), .scene()) struct FormatTests {
    let scene: GatewayScene

    init() throws {
        scene = try GatewayScene.shared
    }

    @Test(arguments: [
        // Complete, without a poster, with failed parts, and without a chart.
        (
            "show",
            ["show 2019-03-15", "show 2019-03-16", "show 2019-03-15 --top 1 --explain", "show 2018-07-07 --offline"]
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
        (
            "run",
            ["run 20199001 --calls 0", "run #1 --date 2019-03-15", "run 의 --date 2019-03-15"]
        ),
        ("history", ["history 2019-03-15"]), ("archive-status", ["archive status"]),
        ("archive-fill", ["archive fill 2019-03 --dry-run", "archive fill 2019-03-15 --rate off"]),
        ("poster-candidates", ["poster pin 20199001"]), ("poster-pin", ["poster pin 20199001 1"]),
        ("poster-unpin", ["poster unpin 20199001"]), ("trace", ["trace"]), ("doctor", ["doctor"]),
        ("config", ["config", "config --broker tcp://192.0.2.1:5555 --lang en"]), ("ping", ["ping"]),
        ("workers", ["workers"]), ("quota", ["quota"]), ("cache-stats", ["cache stats"]),
        ("cache-removal", ["cache purge chart"]),
        ("stats", ["stats", "stats broker", "stats cache-store", "stats detail-fetcher/1"]),
        ("bench", ["bench 2019-03-15 --for 200ms", "bench 2019-03-15 --for 200ms --rate 100 --text"]),
    ])
    func `JSON output conforms to its schema`(schema: String, commands: [String]) async throws {
        var texts: [String] = []
        for command in commands { texts.append(await scene.gateway("\(command) --json").output) }
        let complaints = try await Self.complaints(texts, schema: schema)
        #expect(complaints.isEmpty, "\(complaints)")
    }

    @Test func `every schema is part of the program`() throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: Self.schemas)
        #expect(Set(files) == Set(Schemas.all.keys))
    }

    @Test func `an instance without stats is listed as the schema states`() async throws {
        try await StackScene.run(hasCache: false) { stack in
            let stats = await GatewayScene(stack: stack).gateway("stats --json")
            #expect(stats.output.contains(#""missing":[{"failure":{"code":"unavailable""#), "\(stats)")
            let complaints = try await Self.complaints([stats.output], schema: "stats")
            #expect(complaints.isEmpty, "\(complaints)")
        }
    }

    @Test func `a schema rejects a document that does not conform`() async throws {
        let good = await scene.answered("show 2019-03-15 --json").output
        #expect(try await Self.complaints([good], schema: "show").isEmpty)
        for (what, instead) in [
            (#""status":"ok""#, #""status":"fine""#), (#""complete":true"#, #""complete":"yes""#),
            (#""rank":1,"#, ""), (#""audience":134567,"#, #""audience":"134,567","#),
            (#""targetDate":"2019-03-15""#, #""targetDate":"15.3.2019""#),
        ] {
            try #require(good.contains(what))
            let complaints = try await Self.complaints([good.replacing(what, with: instead)], schema: "show")
            #expect(!complaints.isEmpty, "\(what)")
        }
    }

    @Test func `the output for a saved poster conforms to its schema`() async throws {
        let file = scene.stack.folder + "/poster.png"
        let saved = await scene.answered("poster 20199001 --json --save", file)
        let none = await scene.gateway("poster --json", "포스터 없는 밤", "--save", file)
        #expect(none.status == 66)
        let complaints = try await Self.complaints([saved.output, none.output], schema: "poster-save")
        #expect(complaints.isEmpty, "\(complaints)")
    }

    @Test func `a record is one line and conforms to its schema`() async throws {
        for command in [
            "search 등대 --limit 2", "show 2019-03-16", "chart 2019-03-15", "movie 20199001", "poster 20199001",
        ] {
            let lines = await scene.gateway("\(command) --format ndjson").lines.dropLast()
            #expect(!lines.isEmpty)
            let complaints = try await Self.complaints(Array(lines), schema: "film-record")
            #expect(complaints.isEmpty, "\(complaints)")
        }
    }

    @Test func `tables are readable by spreadsheets`() async {
        let fields = "rank,title,audience,openingDay,directors,posterStatus"
        let csv = await scene.gateway("show 2019-03-15 --format csv --fields \(fields)")
        #expect(
            csv.lines == [
                fields, "1,유리 등대,134567,2019-03-14,하시험; 노가짜,ok", "2,바람의 지도 제작자,51234,2019-02-27,김보기; 박연습,ok",
                "3,오래된 여름의 기차,987,,신본보기,ok", "",
            ])
        let tsv = await scene.gateway("chart 2019-03-15 --format=tsv --fields=code,reentry,salesShare")
        #expect(
            tsv.lines == [
                "code\treentry\tsalesShare", "20199001\tfalse\t51.3", "2019A002\tfalse\t19.0",
                "20199003\tfalse\t0.4",
                "",
            ])
        // A pipe gets the same text without colour.
        let text = await scene.answered("show 2019-03-15 --format text")
        let plain = await scene.gateway("show 2019-03-15 --plain")
        #expect(text.output == plain.output)
    }

    @Test(arguments: [
        ("chart 2019-03-15 -o csv", "chart 2019-03-15 --format csv"),
        ("chart 2019-03-15 -o json", "chart 2019-03-15 --json"),
        ("chart 2019-03-15 -o text", "chart 2019-03-15"), ("quota -o json", "quota --json"), ("quota -o text", "quota"),
        ("", "show"), ("--top 1", "show --top 1"), ("2019-03-15 --wide", "show 2019-03-15 --wide"), ("-7d", "show -7d"),
        ("어제", "show"), ("2019-03-15..2019-03-16", "chart 2019-03-15..2019-03-16"),
        ("last-weekend --top 1", "chart --weekend --top 1"), ("chart 지난주말 --area 서울", "chart --weekend --area 서울"),
        ("--json 2019-03-15~2019-03-16", "chart 2019-03-15..2019-03-16 --json"),
        ("2019-03-15..2019-03-15", "chart 2019-03-15..2019-03-15"),
        ("2019-03-15 --area 서울", "chart 2019-03-15 --area 서울"),
        ("movie 1위 --date 2019-03-15", "movie #1 --date 2019-03-15"),
        ("--lang en 2019.3.15", "show 2019-03-15 --lang en"), ("chart 20190315 --top 10", "chart 2019-03-15"),
    ])
    func `a short spelling prints the same`(short: String, long: String) async {
        // Stored in advance, so that both answers come from the cache.
        await scene.answered(long)
        #expect(await scene.answered(short).output == scene.answered(long).output)
    }

    @Test(arguments: ["quota -o csv", "quota -o text --json", "chart 2019-03-15 -o csv --format tsv", "chart -o xml"])
    func `an impossible form is refused`(line: String) async {
        let printed = await scene.gateway(line)
        #expect(printed.status == 64 && printed.output.isEmpty && printed.errors.hasPrefix("gateway: "), "\(printed)")
    }

    @Test func `the number of films of a chart is limited, and JSON has the whole chart`() async throws {
        #expect(await scene.answered("chart 2019-03-15 --top 2 -o csv").lines.dropLast().count == 3)
        #expect(await scene.answered("chart 2019-03-15 --top 1").lines.dropLast().count == 3)
        #expect(await scene.answered("chart 2019-03-15 --top 1 --json").output.contains("20199003"))
        #expect(await scene.gateway("chart 2019-03-15 --top 11").status == 64)
    }

    @Test func `JSON with field names is short for the fields option`() async {
        let short = await scene.answered("chart 2019-03-15 --json=rank,title")
        let long = await scene.gateway("chart 2019-03-15 --json --fields rank,title")
        #expect(short.output == long.output)
        #expect(short.output.contains(#"{"rank":1,"title":"유리 등대"}"#))
    }

    @Test(arguments: [
        (
            "show 2013-03-03 --json=rank,ranks",
            "Unknown field 'ranks'. Did you mean 'rank'? Fields: date, rank,"
        ),
        ("movie 20199001 --json=rank", "Unknown field 'rank'. Fields: code, title,"),
        ("chart 2013-03-03 --format csv --fields=rank,", "Unknown field ''."),
        ("chart 2013-03-03 --fields rank", "--fields needs --json"),
        ("chart 2013-03-03 --json --format csv", "--json, --format and -o cannot be used together."),
        ("chart 2013-03-03 --format xml", "'xml'"), ("show 2013-03-03 --grid --wide", "--grid and --wide cannot be"),
        ("poster 20199001 --save x.png --format csv", "--save prints its result as text or JSON only."),
    ])
    func `an impossible format is refused without an upstream call`(line: String, reason: String) async throws {
        let calls = try await scene.upstream.calls {
            let printed = await scene.gateway("\(line) --lang en")
            #expect(printed.status == 64 && printed.output.isEmpty && printed.errors.contains(reason), "\(printed)")
        }
        #expect(calls.isEmpty)
    }

    @Test func `an invalid width is refused`() async {
        let printed = await scene.gateway("chart 2019-03-15", environment: ["BOXOFFICE_AMBIGUOUS_WIDTH": "3"])
        #expect(printed.status == 78 && printed.errors.contains("BOXOFFICE_AMBIGUOUS_WIDTH=3"), "\(printed)")
    }

    private static let schemas = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../../Shared/BoxOffice/Schemas/JSON").standardizedFileURL.path

    /// The validator's messages for texts that must conform to a schema; empty when they do.
    static func complaints(_ texts: [String], schema: String) async throws -> String {
        try await withTemporaryFolder { folder in
            let files = try texts.indices.map { index in
                let file = "\(folder)/\(index).json"
                try Data(texts[index].utf8).write(to: URL(fileURLWithPath: file))
                return file
            }
            let result = try await Subprocess.run(
                .name("env"),
                arguments: Arguments(
                    ["/usr/bin/python3", "-m", "jsonschema", "--base-uri", "file://\(schemas)/"]
                        + files.flatMap { ["-i", $0] }
                        + ["\(schemas)/\(schema).schema.json"]),
                output: .string(limit: 1 << 20), error: .string(limit: 1 << 20))
            let complaints = result.standardOutput + result.standardError
            #expect(result.terminationStatus.isSuccess == complaints.isEmpty, "\(complaints)")
            return complaints
        }
    }
}
