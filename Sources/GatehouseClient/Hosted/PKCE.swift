import Foundation

/// Proof that a code is redeemed by the app that began the flow (RFC 7636, method S256).
package enum PKCE {
  /// 256 random bits in base64url, 43 characters: a verifier, and as good for a `state`.
  static func secret() -> String { base64URL((0..<32).map { _ in UInt8.random(in: 0...255) }) }

  /// The challenge that a verifier meets.
  package static func challenge(of verifier: String) -> String { base64URL(SHA256.digest(verifier.utf8)) }

  private static func base64URL(_ bytes: [UInt8]) -> String {
    String(
      Data(bytes).base64EncodedString().compactMap { character in
        switch character {
        case "+": "-"
        case "/": "_"
        case "=": nil
        default: character
        }
      })
  }
}
