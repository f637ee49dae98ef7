import GatehousePrimitives

/// The operator's copy of Apple's App Attest root certificate.
enum AttestRootFile {
  private static let mostBytes = 64 * 1024

  /// Nil where none is named.
  /// - Throws: exit 2 for one that is not there, or holds no certificate.
  static func load(_ path: String?) throws(Failure) -> CertificateRoots? {
    guard let path else { return nil }
    switch FileText.read(path, limit: mostBytes) {
    case .failure(let problem): throw Failure(.usage, "attest.apple_root: \(problem.description)")
    case .success(let bytes):
      do throws(CertificateError) {
        return try CertificateRoots(pem: bytes)
      } catch {
        throw Failure(
          .usage,
          "attest.apple_root: \(Quoted(path)) does not hold 1 to \(CertificateRoots.mostCertificates) certificates in PEM",
          hint: "docs/attest.md")
      }
    }
  }
}
