import Foundation

/// Certificates made by openssl.
package enum TestCertificate {
  /// A key (`key.pem`) and a certificate signed by itself (`cert.pem`), in a new directory. `names` is its
  /// subjectAltName.
  package static func make(_ names: String, days: Int = 2) throws -> String {
    let directory = try TestFolder.make("certificate")
    let openssl = Process()
    openssl.executableURL = URL(fileURLWithPath: "/usr/bin/openssl")
    openssl.arguments = [
      "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "\(days)", "-subj",
      "/CN=test", "-addext", "subjectAltName=\(names)", "-keyout", "\(directory)/key.pem",
      "-out", "\(directory)/cert.pem",
    ]
    openssl.standardError = FileHandle.nullDevice
    try openssl.run()
    openssl.waitUntilExit()
    guard openssl.terminationStatus == 0 else { throw PeerProcess.PeerError.certificate }
    return directory
  }
}
