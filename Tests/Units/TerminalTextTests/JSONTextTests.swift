import ProcessKit
import TerminalText
import Testing

@Suite struct JSONTextTests {
    private func indented(_ json: String, style: TextStyle = .plain) -> String {
        String(decoding: JSONText(style: style).indented(Array(json.utf8)), as: UTF8.self)
    }

    @Test func `members and items have a line each, and empty ones none`() {
        #expect(
            indented(#"{"a":[1,{"b":null}],"c":{},"d":[ ],"e":"x, {y}: \"z\" \\"}"#)
                == """
                {
                  "a": [
                    1,
                    {
                      "b": null
                    }
                  ],
                  "c": {},
                  "d": [],
                  "e": "x, {y}: \\"z\\" \\\\"
                }
                """)
        #expect(indented("3") == "3")
    }

    @Test func `keys, texts, numbers and null differ in colour`() {
        let style = TextStyle(isTerminal: true, isUnwanted: false, Environment([:]))
        #expect(
            indented(#"{"a":"b","c":1,"d":null}"#, style: style)
                == "{\n  \(style.cyan("\"a\"")): \(style.green("\"b\"")),\n  \(style.cyan("\"c\"")): \(style.yellow("1")),\n"
                + "  \(style.cyan("\"d\"")): \(style.dim("null"))\n}")
    }

    @Test(arguments: ["", "{", "\"", "\"\\", "}]", "{\"a\":", "[1,", "{]", "\u{FF}"])
    func `other bytes end in time and stay in order`(text: String) {
        #expect(indented(text).filter { !" \n".contains($0) } == text.filter { !" \n".contains($0) })
    }
}
