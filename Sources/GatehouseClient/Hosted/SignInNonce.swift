/// The value that binds an ID token of a provider's own SDK to this sign-in. `AuthClient` gets the nonce, and the
/// provider's request its hash:
///
///     let nonce = SignInNonce()
///     request.nonce = nonce.sha256  // ASAuthorizationAppleIDRequest
///     try await client.signIn(with: "apple", idToken: token, nonce: nonce.text)
public struct SignInNonce: Sendable, Hashable {
  /// 256 random bits in base64url.
  public let text: String

  /// A new nonce, for one sign-in.
  public init() { text = PKCE.secret() }

  /// SHA-256 of the text, in hexadecimal digits.
  public var sha256: String {
    SHA256.digest(text.utf8).map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
  }
}
