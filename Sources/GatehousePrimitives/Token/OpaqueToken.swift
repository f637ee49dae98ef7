/// A random token whose meaning is a row in the database: a prefix that tells its kind, then 256 random bits in
/// base64url. Only the SHA-256 of the whole text is stored (the text has far more entropy than a guess can cover).
package struct OpaqueToken: Sendable {
  /// The purpose of a token; the prefix keeps kinds apart and lets secret scanners find leaked ones.
  package struct Kind: Sendable, Equatable {
    /// The beginning of every token of this kind.
    package let prefix: String

    private init(_ prefix: String) { self.prefix = prefix }

    package static let refresh = Kind("gh_rt_")
    /// The token of a browser's session at the hosted pages.
    package static let pageSession = Kind("gh_bs_")
    /// A step of a sign-in or another flow of several requests.
    package static let flow = Kind("gh_fl_")
    package static let emailVerification = Kind("gh_ev_")
    package static let passwordReset = Kind("gh_pr_")
    package static let emailChange = Kind("gh_ec_")
    package static let emailChangeUndo = Kind("gh_eu_")
    package static let invitation = Kind("gh_in_")
    package static let administrator = Kind("gh_ad_")
    /// The authorization code for an app whose browser came back from a provider.
    package static let browserSignInCode = Kind("gh_ac_")
    /// The authorization code for an app, of a person who is signed in at the hosted pages.
    package static let authorizationCode = Kind("gh_hb_")
    /// The mark by which a device is recognised.
    package static let device = Kind("gh_dv_")
    /// The `state` we give to an identity provider.
    package static let linkState = Kind("gh_ls_")

    /// Every kind.
    package static let all: [Kind] = [
      refresh, pageSession, flow, emailVerification, passwordReset, emailChange, emailChangeUndo, invitation,
      administrator, browserSignInCode, linkState, device, authorizationCode,
    ]
  }

  /// The text that the bearer gets, ASCII.
  package let text: Secret<String>
  /// The stored form, 32 bytes.
  package let digest: [UInt8]

  /// A new token.
  package static func generate(_ kind: Kind) -> OpaqueToken {
    let text = kind.prefix + Base64URL.encode(SecureRandom.bytes(32))
    return OpaqueToken(text: Secret(text), digest: SHA256.digest(text))
  }

  /// The token of this kind in a text around which a mail program or a person put something: quotes, brackets, blanks,
  /// a full stop, or what is left of quoted-printable (RFC 2045 section 6.7), `=3D` before it and line ends within. Nil
  /// where no text of a token's length is there.
  package static func text(in given: String, kind: Kind) -> String? {
    let softBreaks = ["=\r\n", "=\n", "\r\n", "\n"]
    let text = softBreaks.reduce(given) { $0.replacing($1, with: "") }
    guard let start = text.utf8.firstRange(of: kind.prefix.utf8) else { return nil }
    let run = text.utf8[start.upperBound...].prefix(while: isOfAlphabet)
    let (random, behind) = (run.prefix(length), run.dropFirst(length))
    // A mark of emphasis is of the alphabet as well.
    guard random.count == length, behind.allSatisfy({ $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "-") }) else {
      return nil
    }
    return kind.prefix + String(Substring(random))
  }

  /// Characters behind the prefix: 256 bits in base64url.
  private static let length = 43

  private static func isOfAlphabet(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "_"): true
    default: false
    }
  }

  /// The stored form of a token that a client presented; `nil` for what `generate` can not have made for this kind.
  /// Every token has one text only: any other text is refused or has another digest.
  package static func digest(of text: String, kind: Kind) -> [UInt8]? {
    let bytes = Array(text.utf8)
    let prefix = Array(kind.prefix.utf8)
    guard bytes.count == prefix.count + length, bytes.starts(with: prefix),
      Base64URL.decode(bytes[prefix.count...])?.count == 32
    else { return nil }
    return SHA256.digest(bytes)
  }
}
