package import GatehousePrimitives

/// Makes and recognises mailed codes and link tokens. Tokens are stored as SHA-256; six digits, which could be tried
/// out, as an HMAC under a key that is not in the database.
package struct CodeMint: Sendable {
  private let pepper: MACKey
  private let other: MACKey?

  /// `other` recognises codes that were mailed before operators changed to another key, or by a server that did
  /// already.
  package init(pepper: MACKey, other: MACKey? = nil) {
    self.pepper = pepper
    self.other = other
  }

  /// A fresh pair, in clear for the mail and as stored.
  package struct Minted: Sendable {
    package let token: Secret<String>
    package let digits: Secret<String>
    package let tokenHash: [UInt8]
    package let codeMAC: [UInt8]
  }

  /// Tries at the digits of one code.
  package static let maxAttempts = 5

  package func mint(_ tenant: TenantID, _ purpose: CodePurpose, to destination: Contact) -> Minted {
    let token = OpaqueToken.generate(purpose.terms.token)
    let digits = NumericCode.generate()
    return Minted(
      token: token.text, digits: digits.text, tokenHash: token.digest,
      codeMAC: mac(digits, tenant, purpose, destination, pepper))
  }

  /// Whether these are the digits of `code`; constant time.
  package func matches(_ digits: NumericCode, _ code: OneTimeCode, _ tenant: TenantID) -> Bool {
    guard let stored = code.codeMAC else { return false }
    let isOurs = ConstantTime.equal(stored, mac(digits, tenant, code.purpose, code.destination, pepper))
    guard let other else { return isOurs }
    let isOthers = ConstantTime.equal(stored, mac(digits, tenant, code.purpose, code.destination, other))
    return isOurs || isOthers
  }

  /// A digest that only this installation can make: 32 bytes of HMAC under the same key. `label` says what for, and
  /// MUST NOT have 16 bytes: a code's context begins with a length of 16.
  package func digest(_ label: String, _ parts: [[UInt8]]) -> [UInt8] {
    pepper.code(parts: [Array(label.utf8)] + parts)
  }

  private func mac(
    _ digits: NumericCode, _ tenant: TenantID, _ purpose: CodePurpose, _ destination: Contact, _ pepper: MACKey
  ) -> [UInt8] {
    digits.digest(
      pepper: pepper, context: [tenant.uuid.bytes, Array(purpose.rawValue.utf8), Array(destination.value.utf8)])
  }
}
