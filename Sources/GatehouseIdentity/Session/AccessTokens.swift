package import Foundation
import GatehousePolicy
package import GatehousePrimitives
import GatehouseWire

/// Access tokens: JWTs of type `at+jwt` (RFC 9068), ES256, per tenant. Any holder of the tenant's key set can verify
/// one; what must be certain at this moment (a session that ended) is asked of the store besides.
package enum AccessTokens {
  package static let type = "at+jwt"
  /// Forgiven difference of clocks.
  static let leewaySeconds: Int64 = 30

  /// A signed token for a session, with what the policy says of the account at `call.now`.
  static func issue(_ user: StoredUser, _ session: Session, access: Access, _ call: Call, id: UUID) throws -> String {
    let tenant = call.tenant
    let now = call.now.wholeSeconds
    var claims: JSONObject = [
      "iss": .string(tenant.issuer), "aud": .string(call.client.audience), "client_id": .string(call.client.id),
      "sub": .string(user.id.text), "iat": .integer(now),
      "exp": .integer(now + tenant.policy.sessions.accessTokenTTL), "jti": .string(id.text),
      "sid": .string(session.id.text), "auth_time": .integer(session.proofs.authTime.wholeSeconds),
      "amr": .array(session.proofs.amr.map { .string($0) }), "acr": .string(session.proofs.level.rawValue),
      "pol": .integer(Int64(tenant.revision)),
    ]
    for (name, value) in account(user, access: access, call.policy) where claims[name] == nil { claims[name] = value }
    let key = tenant.keys.active
    return try JWT.sign(claims: JSONValue.object(claims).bytes, type: type, kid: key.kid, key: try key.read())
  }

  /// The claims about an account: those that change while a session lives.
  private static func account(_ user: StoredUser, access: Access, _ policy: Policy) -> [(String, JSONValue)] {
    [("email_verified", .bool(user.emailVerifiedAt != nil)), ("access", .string(access.rawValue))]
      + policy.profile.fields.filter(\.claim).map { ($0.name, JSONValue(user.profile[$0.name] ?? .null)) }
  }

  /// The revision of the claims about an account: a digest of them. A client whose token has another one replaces it.
  static func revision(_ user: StoredUser, access: Access, _ call: Call) -> String {
    let claims = account(user, access: access, call.policy).map { JSONValue.array([.string($0), $1]) }
    return Base64URL.encode(Array(SHA256.digest(JSONValue.array(claims).bytes).prefix(9)))
  }

  /// The caller that a token for this client speaks of. Refuses `unauthenticated` for anything that this tenant did not
  /// sign as an access token for it, and `token_expired` for a token that it signed and that has expired.
  package static func verify(
    _ token: String, _ tenant: TenantSnapshot, for client: Client, at now: Date, memory: VerifiedTokenCache? = nil
  ) throws(Refusal) -> Caller {
    let claims: JSONValue
    do {
      claims = try JWT.verify(
        token, type: .exactly(type), keys: tenant.keys.verification, now: now.wholeSeconds, leeway: leewaySeconds,
        memory: memory
      ).claims
    } catch .expired {
      throw Refusal(.tokenExpired)
    } catch {
      throw Refusal(.unauthenticated, note: String(describing: error))
    }
    guard let issuer = claims["iss"]?.string?.utf8,
      // GUARD: access token: issuer
      tenant.issuers.contains(where: { issuer.elementsEqual($0.utf8) }),
      claims["aud"]?.string?.utf8.elementsEqual(client.audience.utf8) == true,  // GUARD: access token: audience
      let user = claims["sub"]?.string.flatMap(UserID.init(text:)),
      let session = claims["sid"]?.string.flatMap(SessionID.init(text:))
    else { throw Refusal(.unauthenticated, note: "claims of another kind") }
    return Caller(user: user, session: session)
  }
}
