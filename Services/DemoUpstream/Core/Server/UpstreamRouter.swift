import Domain
import HTTPTypes
import Hummingbird

/// The routes: the two APIs, the pictures, and the demo's own switches.
struct UpstreamRouter: Sendable {
    let kobis: DemoKobis
    let kakao: DemoKakao
    let seed: UInt64
    let calls: UpstreamCalls

    func makeRouter() -> Router<UpstreamContext> {
        let router = Router(context: UpstreamContext.self)
        addAPIs(to: router)
        addPictures(to: router)
        addSwitches(to: router)
        return router
    }

    private func addAPIs(to router: Router<UpstreamContext>) {
        router.get(RouterPath(DemoKobis.chartPath)) { request, context in
            let lacksCorrections = await calls.conditions.lacksCorrections
            return await calls.response(to: request, of: .kobis, in: context) {
                kobis.chart(.daily, QueryParameters(request.uri.query), lacksCorrections: lacksCorrections)
            }
        }
        router.get(RouterPath(DemoKobis.weekPath)) { request, context in
            let lacksCorrections = await calls.conditions.lacksCorrections
            return await calls.response(to: request, of: .kobis, in: context) {
                kobis.chart(nil, QueryParameters(request.uri.query), lacksCorrections: lacksCorrections)
            }
        }
        router.get(RouterPath(DemoKobis.detailPath)) { request, context in
            await calls.response(to: request, of: .kobis, in: context) {
                kobis.detail(QueryParameters(request.uri.query))
            }
        }
        router.get(RouterPath(DemoKobis.searchPath)) { request, context in
            await calls.response(to: request, of: .kobis, in: context) {
                kobis.films(QueryParameters(request.uri.query))
            }
        }
        router.get(RouterPath(DemoKakao.path)) { request, context in
            let authorization = request.headers[.authorization]
            let key = DemoKakao.key(in: authorization) ?? "null"
            return await calls.response(to: request, of: .kakao, key: key, in: context) {
                kakao.search(
                    QueryParameters(request.uri.query), authorization: authorization, base: context.baseURL)
            }
        }
    }

    private func addPictures(to router: Router<UpstreamContext>) {
        router.get("/posters/**") { request, context in
            await calls.response(to: request, of: .pictures, in: context) {
                let path = request.uri.path.dropFirst("/posters/".count)
                guard let address = PosterAddress(path: path) else { return .text("no such picture", status: 404) }
                let picture = PosterPainter.picture(at: address, seed: seed)
                return DemoAnswer(contentType: "image/png", body: PNGEncoder.bytes(of: picture))
            }
        }
        router.get("/films/:name") { request, context in
            let name = context.parameters.get("name") ?? ""
            return await calls.response(to: request, of: .pictures, in: context) {
                guard PosterAddress.isName(name) else { return .text("no such film", status: 404) }
                return .text("데모 데이터: 영화 \(name)의 포스터는 demo-upstream이 그린 그림입니다.")
            }
        }
    }

    private func addSwitches(to router: Router<UpstreamContext>) {
        router.get("/_calls") { _, _ in
            Response(DemoAnswer(body: await calls.counter.body()))
        }
        router.post("/_calls/reset") { _, _ in
            await calls.counter.reset()
            return Response(.text("reset"))
        }
        router.post("/_fault") { request, _ in
            var conditions = QueryParameters(request.uri.query).values
            let isAdded = conditions.removeValue(forKey: "add") != nil
            let name = conditions.removeValue(forKey: "name") ?? ""
            guard let rule = FaultRule(name: name, conditions) else {
                return Response(.text("wanted: \(FaultRule.syntax); each as a parameter of its own", status: 400))
            }
            if isAdded { await calls.conditions.add(rule) } else { await calls.conditions.set([rule]) }
            return Response(.text(name))
        }
        router.post("/_latency") { request, _ in
            let parameters = QueryParameters(request.uri.query)
            guard let latency = Self.milliseconds(parameters["ms"]),
                let jitter = Self.milliseconds(parameters["jitter"] ?? "0")
            else { return Response(.text("ms and jitter are milliseconds from 0 to 600000", status: 400)) }
            await calls.conditions.set(latency: latency, jitter: jitter)
            return Response(.text("\(latency) + \(jitter)"))
        }
        router.post("/_corrections") { request, _ in
            guard let isMissing = ["missing": true, "made": false][QueryParameters(request.uri.query)["are"] ?? ""]
            else { return Response(.text("are is missing or made", status: 400)) }
            await calls.conditions.set(lacksCorrections: isMissing)
            return Response(.text(isMissing ? "missing" : "made"))
        }
    }

    private static func milliseconds(_ text: String?) -> Duration? {
        guard let number = text.flatMap({ Int($0) }), (0...600_000).contains(number) else { return nil }
        return .milliseconds(number)
    }
}
