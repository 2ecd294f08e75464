import Testing

@testable import DemoUpstreamCore

@Suite(.timeLimit(.minutes(2)))
struct KakaoWireTests {
    @Test func `every film of a chart has hits that point only to this server`() async throws {
        try await UpstreamClient.withUpstream { client in
            for row in try await client.chart("20190713").decoded(Wire.Chart.self).rows {
                let reply = try await client.images("\(row["movieNm"] ?? "") 영화 포스터")
                #expect(reply.status == 200 && reply.contentType == "application/json;charset=utf-8")
                let images = try reply.decoded(Wire.Images.self)
                #expect(images.documents.contains { $0.height > $0.width && $0.display_sitename == "demo.images" })
                #expect(images.meta.is_end && images.meta.pageable_count == images.documents.count)
                for document in images.documents {
                    #expect(document.image_url.hasPrefix("\(client.base)/posters/"))
                    #expect(document.thumbnail_url.hasPrefix("\(client.base)/posters/"))
                    #expect(document.doc_url.hasPrefix("\(client.base)/films/"))
                }
            }
        }
    }

    @Test func `a picture has the size that its hit states`() async throws {
        try await UpstreamClient.withUpstream { client in
            let row = try #require(try await client.chart("20190713").decoded(Wire.Chart.self).rows.first)
            let images = try await client.images(row["movieNm"]).decoded(Wire.Images.self)
            for document in images.documents {
                let picture = try await client.get(document.image_url)
                #expect(picture.status == 200 && picture.contentType == "image/png")
                let parsed = try ParsedPNG(picture.body)
                #expect(parsed.width == document.width && parsed.height == document.height)
                let thumbnail = try ParsedPNG(try await client.get(document.thumbnail_url).body)
                #expect(thumbnail.width == 130 && thumbnail.height == 130)
                #expect(try await client.get(document.doc_url).text.contains("데모"))
            }
        }
    }

    @Test func `an unknown title has no hit and is the last page`() async throws {
        let reply = try await UpstreamClient.withUpstream { try await $0.images("없는 영화 제목 영화 포스터") }
        #expect(reply.text == #"{"documents":[],"meta":{"is_end":true,"pageable_count":0,"total_count":0}}"#)
    }

    @Test func `a year beside the title does not hide the film`() async throws {
        try await UpstreamClient.withUpstream { client in
            let row = try #require(try await client.chart("20190713").decoded(Wire.Chart.self).rows.first)
            let title = row["movieNm"] ?? ""
            let code = row["movieCd"] ?? "?"
            for query in ["\(title) 2019 영화 포스터", "\(title) (2019) 포스터", "\(title)"] {
                #expect(try await client.images(query).text.contains("/posters/\(code).png"))
            }
        }
    }

    @Test func `the hits are paged`() async throws {
        try await UpstreamClient.withUpstream { client in
            let row = try #require(try await client.chart("20190713").decoded(Wire.Chart.self).rows.first)
            let title = row["movieNm"]
            let all = try await client.images(title).decoded(Wire.Images.self)
            let first = try await client.images(title, ["size": "2"]).decoded(Wire.Images.self)
            let second = try await client.images(title, ["size": "2", "page": "2"]).decoded(Wire.Images.self)
            let last = try await client.images(title, ["size": "2", "page": "50"]).decoded(Wire.Images.self)
            let urls = (first.documents + second.documents).map(\.image_url)
            #expect(urls == all.documents.prefix(4).map(\.image_url))
            #expect(!first.meta.is_end && last.meta.is_end && last.documents.isEmpty)
            let recent = try await client.images(title, ["sort": "recency"]).decoded(Wire.Images.self)
            #expect(recent.documents.map(\.datetime) == all.documents.map(\.datetime).sorted(by: >))
        }
    }

    @Test(arguments: ["abc", "with-hyphen", "이 키는 아니다", String(repeating: "k", count: 65)])
    func `a refusal echoes the key as Kakao does`(key: String) async throws {
        let reply = try await UpstreamClient.withUpstream { try await $0.images("밀수", key: key) }
        #expect(reply.status == 401)
        let refusal = Wire.Refusal(errorType: "AccessDeniedError", message: "wrong appKey(\(key)) format")
        #expect(try reply.decoded(Wire.Refusal.self) == refusal)
    }

    @Test func `a missing key is reported as the key null`() async throws {
        let reply = try await UpstreamClient.withUpstream { try await $0.images("밀수", key: nil) }
        #expect(reply.status == 401)
        #expect(reply.text == #"{"errorType":"AccessDeniedError","message":"wrong appKey(null) format"}"#)
    }

    @Test func `a missing query is refused`() async throws {
        try await UpstreamClient.withUpstream { client in
            for query in [nil, "", "  "] {
                let reply = try await client.images(query)
                #expect(reply.status == 400)
                #expect(reply.text == #"{"errorType":"MissingParameter","message":"query parameter required"}"#)
            }
        }
    }

    @Test(arguments: [
        (["page": "51"], "page is more than max"), (["size": "81"], "size is more than max"),
        (["page": "0"], "page is less than min"), (["size": "x"], "size is not a number"),
        (["sort": "x"], "sort is invalid"),
    ])
    func `an argument out of range is refused`(parameters: [String: String], message: String) async throws {
        let reply = try await UpstreamClient.withUpstream { try await $0.images("밀수", parameters) }
        #expect(reply.status == 400)
        #expect(try reply.decoded(Wire.Refusal.self) == .init(errorType: "InvalidArgument", message: message))
    }
}
