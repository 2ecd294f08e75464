import Foundation

/// A self-signed certificate of a host, and its key, as files (PEM).
public struct TestCertificate: Sendable {
    struct NotMade: Error {}

    public let file: String
    public let keyFile: String

    /// - Parameters:
    ///   - host: the name in the certificate.
    ///   - folder: of the files, `HOST.pem` and `HOST.key`.
    public init(of host: String, in folder: String) throws {
        (file, keyFile) = ("\(folder)/\(host).pem", "\(folder)/\(host).key")
        let openssl = Process()
        openssl.executableURL = URL(filePath: "/usr/bin/env")
        openssl.arguments = [
            "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days",
            "2", "-subj", "/CN=\(host)", "-addext", "subjectAltName=DNS:\(host)", "-keyout", keyFile, "-out", file,
        ]
        openssl.standardError = FileHandle.nullDevice
        try openssl.run()
        openssl.waitUntilExit()
        guard openssl.terminationStatus == 0 else { throw NotMade() }
    }
}
