/// The address by which an authenticator app takes over a seed: `otpauth://totp/…`, as Google Authenticator's key URI
/// format describes it and other apps read it.
package struct AuthenticatorAddress: Sendable {
  /// The most bytes of the app's name that are shown.
  static let mostNameBytes = 48
  /// The most bytes of the account's address that are shown: as many as an address can have (RFC 5321).
  static let mostAddressBytes = 254
  /// The most bytes of the whole: what fits into a QR code that a telephone reads from a screen.
  package static let mostBytes = 1_190

  /// The address, ASCII. It holds the seed.
  package let text: Secret<String>

  /// The address of a seed of `TOTP`.
  /// - Parameters:
  ///   - app: The app's name, as people know it. Apps of both platforms show it as the issuer.
  ///   - email: The address of the account.
  package init(app: String, email: String, seed: Secret<[UInt8]>) {
    let issuer = Self.label(app, most: Self.mostNameBytes)
    let account = Self.label(email, most: Self.mostAddressBytes)
    let label = [issuer, account].filter { !$0.isEmpty }.joined(separator: ":")
    let query = [
      ("secret", seed.expose { Base32.encode($0) }), ("issuer", issuer), ("algorithm", "SHA1"),
      ("digits", String(TOTP.digits)), ("period", String(TOTP.period)),
    ]
    text = Secret(
      "otpauth://totp/\(label)?" + query.filter { !$0.1.isEmpty }.map { "\($0.0)=\($0.1)" }.joined(separator: "&"))
  }

  /// A name, percent-encoded (RFC 3986 section 2.1), without colons, which neither part may hold: apps split the label
  /// at one after they have decoded it. What is too long ends at the last character that fits.
  private static func label(_ name: String, most: Int) -> String {
    var left = most
    let kept = name.lazy.filter { $0 != ":" }.prefix { character in
      left -= character.utf8.count
      return left >= 0
    }
    return kept.reduce(into: "") { text, character in
      for byte in character.utf8 { text += encoded(byte) }
    }
  }

  private static func encoded(_ byte: UInt8) -> String {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
      UInt8(ascii: "~"):
      String(Unicode.Scalar(byte))
    default: "%" + Hex.encode([byte]).uppercased()
    }
  }
}
