import Testing

@testable import WebCore

@Suite struct StaticPageTests {
    private let page = StaticPage(root: "../") { target in
        ["/2022-01-05?lang=ko": "2022-01-05.html", "/assets/style-1.css": "assets/style-1.css"][target]
    }

    private func rewritten(_ text: String) -> String {
        String(decoding: page.rewritten(Array(text.utf8)), as: UTF8.self)
    }

    @Test(
        arguments: [
            (#"<a href="/2022-01-05?lang=ko">a</a>"#, #"<a href="../2022-01-05.html">a</a>"#),
            // What has no file leads nowhere, and what stands inside stays.
            (
                #"<a rel="next" href="/2022-01-06?lang=ko"><span>b</span></a> <a href="/2022-01-05?lang=ko">c</a>"#,
                #"<span><span>b</span></span> <a href="../2022-01-05.html">c</a>"#
            ),
            (#"<img src="/posters/1?v=2" alt="">"#, #"<span class="thumb" aria-hidden="true"></span>"#),
            (
                #"<link rel="stylesheet" href="/assets/style-1.css"><link rel="canonical" href="/x">"#,
                #"<link rel="stylesheet" href="../assets/style-1.css">"#
            ),
            (
                ##"<a href="https://kobis.example/x?a=1&amp;b=2">d</a> <a href="#main">e</a>"##,
                ##"<a href="https://kobis.example/x?a=1&amp;b=2">d</a> <a href="#main">e</a>"##
            ),
            ("no tags, a &lt; b", "no tags, a &lt; b"), ("<broken", "<broken"),
        ])
    func `addresses of the server become those of files`(text: String, wanted: String) {
        #expect(rewritten(text) == wanted)
    }
}
