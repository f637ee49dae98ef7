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
      "email_verified": .bool(user.emailVerifiedAt != nil),
      "access": .string(access.rawValue), "pol": .integer(Int64(tenant.revision)),
    ]
    for field in tenant.policy.profile.fields where field.claim && claims[field.name] == nil {
      claims[field.name] = JSONValue(user.profile[field.name] ?? .null)
    }
    let key = tenant.keys.active
    return try JWT.sign(claims: JSONValue.object(claims).bytes, type: type, kid: key.kid, key: key.key)
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
      issuer.elementsEqual(tenant.issuer.utf8) || issuer.elementsEqual(tenant.sharedIssuer.utf8),
      claims["aud"]?.string?.utf8.elementsEqual(client.audience.utf8) == true,  // GUARD: access token: audience
      let user = claims["sub"]?.string.flatMap(UserID.init(text:)),
      let session = claims["sid"]?.string.flatMap(SessionID.init(text:))
    else { throw Refusal(.unauthenticated, note: "claims of another kind") }
    return Caller(user: user, session: session)
  }
}
