import Zlib

/// The files that pages refer to, which the executable contains. Their names change with their bytes, so that a browser
/// can keep them for ever.
struct Assets: Sendable {
    struct File: Sendable {
        let bytes: [UInt8]
        let compressed: [UInt8]
        let mediaType: String
    }

    let stylesheet: String
    let icon: String
    private let files: [String: File]

    init() {
        var files: [String: File] = [:]
        func add(_ bytes: [UInt8], _ name: String, _ suffix: String, _ mediaType: String) -> String {
            let hashed = "\(name)-\(String(Zlib.crc32(bytes), radix: 16)).\(suffix)"
            files[hashed] = File(bytes: bytes, compressed: Zlib.gzip(bytes), mediaType: mediaType)
            return "/assets/\(hashed)"
        }
        stylesheet = add(PackageResources.style_css, "style", "css", "text/css; charset=utf-8")
        icon = add(PackageResources.icon_svg, "icon", "svg", "image/svg+xml")
        self.files = files
    }

    subscript(name: String) -> File? { files[name] }
}
