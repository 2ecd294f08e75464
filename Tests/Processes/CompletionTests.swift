import Foundation
import TestSupport
import Testing

extension ProcessTests.CommandLineTests {
    /// Shell completion.
    @Suite(.serialized, .stack()) struct CompletionTests {
        let stack: TestStack

        init() throws {
            stack = try TestStack.shared
        }

        /// What bash offers after a line, with the generated script.
        private func completions(of line: String) async throws -> [String] {
            let script = """
                PATH=$BIN:$PATH; source <(gateway completions bash)
                COMP_LINE='\(line)'; COMP_POINT=${#COMP_LINE}; read -ra COMP_WORDS <<<"$COMP_LINE"
                [[ $COMP_LINE == *' ' ]] && COMP_WORDS+=('')
                COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); COMP_TYPE=9
                _gateway_or_fields gateway "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}" 2>/dev/null
                printf '%s\\n' "${COMPREPLY[@]}"
                """
            let result = try await stack.shell(script)
            return result.lines.map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
        }

        @Test func `commands and options are completed`() async throws {
            #expect(try await completions(of: "gateway qu") == ["quota"])
            let options = try await completions(of: "gateway show --no-")
            #expect(Set(options).isSuperset(of: ["--no-stale", "--no-color"]), "\(options)")
        }

        @Test func `films are completed from the cache without an upstream call`() async throws {
            let calls = try await stack.upstream.calls {
                let nothing = try await completions(of: "gateway movie ")
                #expect(nothing.isEmpty, "\(nothing)")
            }
            #expect(calls.isEmpty)
            let chart: ChartAnswer = try await stack.json("chart", "yesterday")
            let codes = try #require(chart.chart.value?.entries.map(\.code))
            let after = try await stack.upstream.calls {
                // Each code with its title, until one is left.
                let offered = try await completions(of: "gateway movie ")
                #expect(Set(offered.map { String($0.prefix(8)) }).isSuperset(of: codes), "\(offered)")
                #expect(offered.allSatisfy { $0.wholeMatch(of: /[0-9A-Z]{8} {2}[^$`"'\\()]+/) != nil }, "\(offered)")
                #expect(try await completions(of: "gateway movie \(codes[0].prefix(7))").allSatisfy(codes.contains))
                let prefix = codes[0].prefix(6)
                let narrowed = try await self.completions(of: "gateway poster pin \(prefix)")
                #expect(
                    narrowed.contains { $0.hasPrefix(codes[0]) } && narrowed.allSatisfy { $0.hasPrefix(prefix) },
                    "\(narrowed)")
            }
            #expect(after.isEmpty)
        }

        @Test(arguments: [
            ("gateway show 2022", []), ("gateway show y", ["yesterday"]), ("gateway chart --area Bus", ["Busan"]),
            ("gateway chart --nation f", ["foreign"]), ("gateway show --json=posterC", ["posterConfidence"]),
            ("gateway show --json=rank,titleE", ["rank,titleEnglish"]),
            ("gateway chart --fields salesS", ["salesShare"]),
            ("gateway stats poster-resolver/", ["poster-resolver/1", "poster-resolver/2"]),
            ("gateway stats bro", ["broker"]),
        ])
        func `days, regions, fields and instances are completed`(line: String, offered: [String]) async throws {
            #expect(try await completions(of: line) == offered)
        }

        @Test(arguments: ["zsh", "fish", "bash"]) func `each supported shell has a script`(shell: String) async throws {
            let result = try await stack.gateway("completions", shell)
            #expect(result.status == 0 && result.output.contains("gateway"), "\(result)")
            let unknown = try await stack.gateway("completions", "tcsh")
            #expect(unknown.status == 64 && unknown.output.isEmpty)
        }
    }
}
