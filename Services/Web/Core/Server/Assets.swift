import NIOCore
import Zlib

/// The files that pages refer to, which the executable contains. Their names change with their bytes, so that a browser
/// can keep them for ever.
struct Assets: Sendable {
    struct File: Sendable {
        let bytes: ByteBuffer
        let compressed: ByteBuffer
        let mediaType: String
    }

    let stylesheet: String
    let icon: String
    let chartScript: String
    let activityScript: String
    let keysScript: String
    private let files: [String: File]

    init() {
        var files: [String: File] = [:]
        func add(_ bytes: [UInt8], _ name: String, _ suffix: String, _ mediaType: String) -> String {
            let hashed = "\(name)-\(String(Zlib.crc32(bytes), radix: 16)).\(suffix)"
            files[hashed] = File(
                bytes: ByteBuffer(bytes: bytes), compressed: ByteBuffer(bytes: Zlib.gzip(bytes)), mediaType: mediaType)
            return "/assets/\(hashed)"
        }
        stylesheet = add(PackageResources.style_css, "style", "css", "text/css; charset=utf-8")
        icon = add(PackageResources.icon_svg, "icon", "svg", "image/svg+xml")
        let script = "text/javascript; charset=utf-8"
        let live = add(PackageResources.live_js, "live", "js", script)
        let keys = add(PackageResources.keys_js, "keys", "js", script)
        /// Names the modules that the script imports, whose addresses depend on their bytes.
        func linked(_ source: [UInt8]) -> [UInt8] {
            let text = String(decoding: source, as: UTF8.self)
            return Array(
                text.replacing("\"LIVE\"", with: "\"\(live)\"").replacing("\"KEYS\"", with: "\"\(keys)\"").utf8)
        }
        keysScript = keys
        chartScript = add(linked(PackageResources.chart_js), "chart", "js", script)
        activityScript = add(linked(PackageResources.activity_js), "activity", "js", script)
        self.files = files
    }

    /// By name.
    var all: [String: File] { files }

    subscript(name: String) -> File? { files[name] }
}
