import Foundation
import ProcessKit
import Records
import TestSupport
import Testing

@testable import GatewayCore

/// What tables and JSON make of hostile texts, read back by Python's csv and json.
@Suite struct HostileTextTests {
    private static let texts = Array(HostileText(seed: 3, count: 500))
    private static let fields = [RecordField<Int>("n") { .integer(Int64($0)) }, RecordField("t") { .text(texts[$0]) }]

    private func read(_ table: [UInt8], _ reader: String) throws -> [String] {
        let python = Process()
        python.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        python.arguments = [
            "python3", "-c",
            "import csv, io, json, sys\ntext = sys.stdin.buffer.read().decode('utf-8')\nprint(json.dumps(\(reader)))",
        ]
        let (input, output) = (Pipe(), Pipe())
        (python.standardInput, python.standardOutput) = (input, output)
        try python.run()
        // Less than a pipe holds.
        input.fileHandleForWriting.write(Data(table))
        input.fileHandleForWriting.closeFile()
        let answer = output.fileHandleForReading.readDataToEndOfFile()
        python.waitUntilExit()
        return try JSONDecoder().decode([String].self, from: answer)
    }

    @Test func `a table in CSV has a row for each record`() throws {
        let table = RecordFormat.csv.bytes(Array(Self.texts.indices), Self.fields, TableStyle(isRaw: true))
        let found = try read(table, "[row[1] for row in csv.reader(io.StringIO(text, newline=''))][1:]")
        #expect(found.count == Self.texts.count)
        for (text, found) in zip(Self.texts, found) {
            #expect(found == text || found == text.printable)
            #expect(
                found.unicodeScalars.filter { !"\t\r\n".unicodeScalars.contains($0) }.allSatisfy {
                    $0.properties.generalCategory != .control
                })
        }
    }

    @Test func `a line of NDJSON has the text itself, and prints nothing that controls a terminal`() throws {
        let table = RecordFormat.ndjson.bytes(Array(Self.texts.indices), Self.fields)
        #expect(try read(table, "[json.loads(line)['t'] for line in text.split(chr(10))[:-1]]") == Self.texts)
        let scalars = String(decoding: table, as: UTF8.self).unicodeScalars
        #expect(scalars.allSatisfy { $0 == "\n" || $0.properties.generalCategory != .control })
    }
}
