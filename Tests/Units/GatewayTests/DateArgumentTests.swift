import Domain
import Localization
import ProcessKit
import TestSupport
import Testing

@testable import GatewayCore

/// The clock is at 2026-11-20T15:30Z, which is 00:30 on the 21st in Seoul, unless a test sets another time.
@Suite struct DateArgumentTests {
    private func resolve(_ text: String?, now: Double = Samples.now) throws -> String {
        try DateArgument.resolve(text, now: now).iso
    }

    private func refusal(_ text: String, now: Double = Samples.now) throws -> StartupError {
        try #require(throws: StartupError.self) { try DateArgument.resolve(text, now: now) }
    }

    @Test(
        arguments: [
            (1_795_188_600, "2026-11-20"),  // 15:30:00Z on the 20th
            (1_795_186_800, "2026-11-20"),  // 15:00:00Z on the 20th
            (1_795_186_799.999, "2026-11-19"), (1_795_186_799, "2026-11-19"),  // 14:59:59Z on the 20th
        ] as [(Double, String)])
    func `the default date is yesterday in Seoul, in any time zone of the host`(now: Double, date: String) throws {
        #expect(try resolve(nil, now: now) == date)
        #expect(try resolve("yesterday", now: now) == date)
        #expect(try resolve("-1d", now: now) == date)
    }

    @Test(arguments: [
        ("2026-11-19", "2026-11-19"), ("20261119", "2026-11-19"), ("-1d", "2026-11-20"), ("-2d", "2026-11-19"),
        ("-365d", "2025-11-21"), ("어제", "2026-11-20"), ("\u{110B}\u{1165}\u{110C}\u{1166}", "2026-11-20"),
        ("yesterday", "2026-11-20"), ("Yesterday", "2026-11-20"), ("2024-02-29", "2024-02-29"),
        ("그제", "2026-11-19"), ("그저께", "2026-11-19"), ("-1w", "2026-11-14"), ("-2w", "2026-11-07"),
        ("2026-2-1", "2026-02-01"), ("2026.02.01", "2026-02-01"), ("2026.2.1", "2026-02-01"),
        // The first and the last possible day.
        ("2003-11-11", "2003-11-11"), ("20031111", "2003-11-11"), ("-8411d", "2003-11-11"),
        ("2026-11-20", "2026-11-20"),
    ])
    func `a date is parsed in each of its forms`(text: String, date: String) throws {
        #expect(try resolve(text) == date)
    }

    @Test(arguments: ["2026-11-21", "20261121", "-0d", "오늘", "\u{110B}\u{1169}\u{1102}\u{1173}\u{11AF}", "today"])
    func `today is not published yet, and a later retry helps`(text: String) throws {
        let error = try refusal(text)
        #expect(error.exitStatus == 75)
        #expect(error.description.contains("2026-11-21"))
        #expect(error.message.ko.contains("아직 발표되지"))
    }

    @Test(arguments: ["2026-11-22", "20261122", "9999-12-31", "2003-11-10", "20031110", "-8412d", "0001-01-01"])
    func `the error for a day without a chart states the days that have one`(text: String) throws {
        let error = try refusal(text)
        #expect(error.exitStatus == 64)
        #expect(error.description.contains("2003-11-11") && error.description.contains("2026-11-20"), "\(error)")
    }

    @Test(arguments: [
        "--0d", "-1\u{0661}d", "2026-+1-05", "2026--1-05", "2026-11.19",
        "", " ", "x", "2026-11-31", "2026-2.1", "2026.11.", "-w", "-1.5w", "-99999w",
        "20261131", "2026111", "-d", "-1", "1d",
        "-1.5d",
        "--1d", "-+1d", "-１d", "-99999999999999999999d", "2026-11-19 ", "내일", "tomorrow", "어제 ", "2023-02-29",
    ])
    func `an invalid date is rejected with a list of the valid forms`(text: String) throws {
        let error = try refusal(text)
        #expect(error.exitStatus == 64)
        #expect(error.message.ko.contains("'\(text)'"))
        #expect(
            error.description.contains("2026-11-19, 11-19, -1d, -2w") || error.description.contains("does not exist: "))
    }

    @Test func `a range is no date, and the error says what takes it`() throws {
        let error = try refusal("2026-10").description
        #expect(error.hasSuffix("For a range: gateway chart 2026-10, or gateway top 2026-10"))
    }

    @Test func `an invalid date cannot control the terminal`() throws {
        #expect(try !refusal("\u{1B}[2J").description.contains("\u{1B}"))
    }

    @Test func `a clock before the first chart does not crash`() throws {
        #expect(try refusal("2003-11-11", now: 0).exitStatus == 64)
    }
}
