package import Foundation
package import GatehousePrimitives

/// Apple's part in App Attest, under a root of the tests' own: a root, an intermediate, and certificates for keys of
/// devices.
package struct TestAttestationRoot: Sendable {
  /// The root as an operator's file holds it.
  package let pem: String
  private let root: Issuer
  private let issuer: Issuer
  private let intermediate: [UInt8]

  private struct Issuer: Sendable {
    let name: String
    let key: P256PrivateKey
  }

  /// Certificates of `validity` around `now`; those of keys may have another one.
  package init(now: Date, name: String = "Test App Attestation Root CA") throws {
    root = Issuer(name: name, key: try .generate())
    issuer = Issuer(name: "Test App Attestation CA 1", key: try .generate())
    let years = now.addingTimeInterval(-86_400)...now.addingTimeInterval(20 * 365 * 86_400)
    let der = try Self.certificate(root.name, root.key.publicKey, by: root, years, [Self.authority])
    intermediate = try Self.certificate(issuer.name, issuer.key.publicKey, by: root, years, [Self.authority])
    pem = """
      -----BEGIN CERTIFICATE-----
      \(Data(der).base64EncodedString(options: [.lineLength64Characters, .endLineWithLineFeed]))
      -----END CERTIFICATE-----

      """
  }

  /// The root's file on disk.
  package func file() throws -> String {
    let path = try TestFolder.make("attestation-root") + "/root.pem"
    try Data(pem.utf8).write(to: URL(fileURLWithPath: path))
    return path
  }

  /// basicConstraints, critical: may sign others.
  private static let authority = DER.sequence(
    DER.identifier("2.5.29.19"), [0x01, 0x01, 0xFF], DER.octets(DER.sequence([0x01, 0x01, 0xFF])))

  /// The fields of a certificate, so that a test can change one.
  package struct Issue: Sendable {
    package var validity: ClosedRange<Date>
    /// The value of Apple's extension; nil leaves it out.
    package var nonce: [UInt8]?
    /// The certificate is there twice in place of the intermediate's.
    package var leavesOutIntermediate = false
    package var key: P256PublicKey
  }

  /// The chain for a key, first its own certificate.
  func chain(_ issue: Issue) throws -> [[UInt8]] {
    let leaf = try Self.certificate(
      "device", issue.key, by: issuer, issue.validity, issue.nonce.map { [Self.nonce($0)] } ?? [])
    return issue.leavesOutIntermediate ? [leaf] : [leaf, intermediate]
  }

  /// The fields of a certificate of an authenticator's model, so that a test can change one.
  package struct Model: Sendable {
    package var validity: ClosedRange<Date>
    /// Object identifiers and texts.
    package var subject = [
      ("2.5.4.6", "SE"), ("2.5.4.10", "Test"), ("2.5.4.11", "Authenticator Attestation"), ("2.5.4.3", "Test model"),
    ]
    /// Whether it says that it may sign no other one; nil where it says nothing.
    package var isLeaf: Bool? = true
    /// The value of the extension that names the model; nil leaves it out.
    package var model: [UInt8]?
    /// The value of Apple's extension; nil leaves it out.
    package var nonce: [UInt8]?
    package var key: P256PublicKey
  }

  /// The chain for a model, first its own certificate.
  func chain(_ model: Model) throws -> [[UInt8]] {
    var extensions: [[UInt8]] = []
    if let isLeaf = model.isLeaf {
      let says = DER.sequence(isLeaf ? [] : [0x01, 0x01, 0xFF])
      extensions.append(DER.sequence(DER.identifier("2.5.29.19"), DER.octets(says)))
    }
    if let bytes = model.model {
      extensions.append(
        DER.sequence(DER.identifier("1.3.6.1.4.1.45724.1.1.4"), DER.octets(DER.octets(bytes))))
    }
    if let nonce = model.nonce { extensions.append(Self.nonce(nonce)) }
    let leaf = try Self.certificate(
      Self.named(model.subject), model.key, by: issuer, model.validity, extensions)
    return [leaf, intermediate]
  }

  /// A model's certificate that the root signed itself.
  func direct(_ model: Model) throws -> [UInt8] {
    try Self.certificate(Self.named(model.subject), model.key, by: root, model.validity, [])
  }

  /// Apple's extension.
  private static func nonce(_ nonce: [UInt8]) -> [UInt8] {
    DER.sequence(
      DER.identifier("1.2.840.113635.100.8.2"), DER.octets(DER.sequence(DER.value(0xA1, DER.octets(nonce)))))
  }

  private static func certificate(
    _ name: String, _ key: P256PublicKey, by issuer: Issuer, _ validity: ClosedRange<Date>, _ extensions: [[UInt8]]
  ) throws -> [UInt8] { try certificate(named(name), key, by: issuer, validity, extensions) }

  private static func certificate(
    _ subject: [UInt8], _ key: P256PublicKey, by issuer: Issuer, _ validity: ClosedRange<Date>, _ extensions: [[UInt8]]
  ) throws -> [UInt8] {
    let algorithm = DER.sequence(DER.identifier("1.2.840.10045.4.3.2"))
    let body = DER.sequence(
      DER.value(0xA0, DER.integer([2])), DER.integer([1] + SecureRandom.bytes(8)), algorithm, named(issuer.name),
      DER.sequence(DER.time(validity.lowerBound), DER.time(validity.upperBound)), subject,
      DER.sequence(
        DER.sequence(DER.identifier("1.2.840.10045.2.1"), DER.identifier("1.2.840.10045.3.1.7")),
        DER.bits(key.point)),
      extensions.isEmpty ? [] : DER.value(0xA3, DER.value(0x30, extensions.flatMap { $0 })))
    return DER.sequence(body, algorithm, DER.bits(try TestDevice.signature(of: body, by: issuer.key)))
  }

  private static func named(_ name: String) -> [UInt8] { named([("2.5.4.3", name)]) }

  private static func named(_ parts: [(String, String)]) -> [UInt8] {
    DER.value(
      0x30,
      parts.flatMap { kind, text in
        DER.value(0x31, DER.sequence(DER.identifier(kind), DER.value(0x0C, Array(text.utf8))))
      })
  }
}
