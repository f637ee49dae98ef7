import GatehouseIdentity
import GatehousePrimitives
import GatehouseServer
import GatehouseWire

/// Whether a test's server verifies access tokens. Without it a caller is the user that its token names, with any
/// signature and any tenant in the token: any isolation that still holds then is the store's alone.
package enum TokenCheck: String, Sendable, CaseIterable {
  case verified, believed

  /// Nil where the server verifies as usual.
  var verifier: TokenVerifier? {
    switch self {
    case .verified: nil
    case .believed: { token, _, _ throws(Refusal) in try TokenCheck.believe(token) }
    }
  }

  /// Account and session that the token's claims name.
  private static func believe(_ token: String) throws(Refusal) -> Caller {
    let parts = token.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, let text = Base64URL.decode(String(parts[1])), let claims = try? JSONParser.parse(text),
      let user = claims["sub"]?.string.flatMap(UserID.init(text:)),
      let session = claims["sid"]?.string.flatMap(SessionID.init(text:))
    else { throw Refusal(.unauthenticated) }
    return Caller(user: user, session: session)
  }
}
