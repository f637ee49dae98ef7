import Foundation
import GatehousePrimitives

/// A challenge for an app: nothing is stored for it until it is used. It is a code of the tenant's own over a time and
/// random bytes, so that it is known again, and no other tenant's is.
enum AttestChallenge {
  /// How long an app may take to use one.
  static let seconds: TimeInterval = 300
  private static let bodySize = 24

  /// A new one, as text.
  static func make(_ call: Call) -> String {
    let moment = UInt64(clamping: call.now.milliseconds)
    let body = withUnsafeBytes(of: moment.bigEndian) { Array($0) } + SecureRandom.bytes(16)
    return Base64URL.encode(body + code(body, call))
  }

  /// The mark that a use leaves behind; nil unless this tenant made the challenge within the last five minutes.
  static func mark(of text: String, _ call: Call) -> AttestMark? {
    guard text.utf8.count <= 128, let bytes = Base64URL.decode(text), bytes.count == bodySize + 32 else { return nil }
    let body = Array(bytes[..<bodySize])
    // GUARD: attest: a challenge of this tenant
    guard ConstantTime.equal(code(body, call), Array(bytes[bodySize...])) else { return nil }
    let milliseconds = body[..<8].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    let made = Date(timeIntervalSince1970: Double(milliseconds) / 1000)
    let end = made.addingTimeInterval(seconds)
    // GUARD: attest: a challenge of now
    guard call.now < end else { return nil }
    return AttestMark(digest: SHA256.digest(text), madeAt: made, expiresAt: end)
  }

  private static func code(_ body: [UInt8], _ call: Call) -> [UInt8] {
    call.tenant.vault.pseudonym(Array("attest challenge".utf8), body)
  }
}
