package import GatehousePrimitives

/// The ID token of a provider (OpenID Connect Core sections 2 and 3.1.3.7), checked against what this tenant's policy
/// says, and nothing the token says about itself.
package enum IDToken {
  /// The claims that a token must have to be accepted.
  package struct Expectation: Sendable {
    /// Spellings of the issuer that the provider uses; the first is the one that is stored.
    package var issuers: [String]
    /// Client ids whose tokens count, byte-exact.
    package var audiences: [String]
    /// The raw nonce; the token may carry the hexadecimal SHA-256 of it, as Apple's libraries have apps send it. Nil
    /// takes any and none: the caller MUST then see to it that each token is taken once (`IDTokenUse`).
    package var nonce: String?
    /// Seconds since the token was made, at most.
    package var maximumAge: Int64
    /// The demand on its `auth_time`.
    package var activity: Activity

    package init(
      issuers: [String], audiences: [String], nonce: String?, maximumAge: Int64 = day, activity: Activity = .notSaid
    ) {
      self.activity = activity
      self.issuers = issuers
      self.audiences = audiences
      self.nonce = nonce
      self.maximumAge = maximumAge
    }
  }

  /// Whether `auth_time` says that the person signed in at the provider themselves, at or after a moment, in seconds
  /// since 1970 (OpenID Connect Core section 3.1.3.7, no. 13).
  package enum Activity: Sendable, Equatable {
    /// The provider does not say.
    case notSaid
    /// It may say so.
    case noted(since: Int64)
    /// It MUST say so.
    case demanded(since: Int64)
  }

  /// Why a token is not taken: for operators and tests. The caller learns only that it is not.
  package enum Flaw: Error, Equatable, Sendable {
    /// Signed by a key that is not among these; there may be newer ones.
    case unknownKey
    case token(JWTError)
    case issuer, audience, authorizedParty, nonce, subject
    /// Made too long ago, or to live for too long.
    case age
    /// The person did not sign in just now, or the provider does not say.
    case authTime
    case email
  }

  /// The claims of an accepted token.
  package struct Taken: Sendable {
    package var user: ProviderUser
    /// Its `iat`, seconds since 1970.
    package var issuedAt: Int64
    /// Its `exp`, likewise.
    package var expiresAt: Int64
    /// Whether the person signed in there just now; nil where the provider does not say.
    package var isActive: Bool?
  }

  package static let day: Int64 = 86_400
  /// How long after its issue a token is taken without a nonce, seconds; the forgiven difference of clocks is within
  /// them.
  package static let withoutNonce: Int64 = 600
  /// Forgiven difference of clocks, seconds.
  static let leeway: Int64 = 60
  private static let longestNonce = 256

  /// The subject of the token.
  package static func verify(
    _ token: String, keys: VerificationKeys, _ expected: Expectation, now: Int64
  ) throws(Flaw) -> Taken {
    let verified: VerifiedToken
    do {
      verified = try JWT.verify(token, type: .providerIDToken, keys: keys, now: now, leeway: leeway)
    } catch {
      throw error == .unknownKey ? .unknownKey : .token(error)
    }
    let claims = verified.claims
    guard let said = claims.told(.issuer)?.string, let issuer = expected.issuers.first,
      // GUARD: id token: issuer
      contains(expected.issuers, said)
    else { throw .issuer }
    try checkAudience(claims, expected)
    // Both are within four digits of a year: no sum of these can overflow.
    guard
      verified.issuedAt >= now - expected.maximumAge - leeway,  // GUARD: id token: made long ago
      verified.expiresAt - verified.issuedAt <= 2 * day  // GUARD: id token: lives too long
    else { throw .age }
    if let nonce = expected.nonce { try checkNonce(claims, nonce) }
    let isActive = try activity(claims.told(.authTime), expected.activity, now: now)
    guard let subject = claims.told(.subject)?.string,
      isPlain(subject, longest: 255)  // GUARD: id token: subject
    else { throw .subject }
    var user = ProviderUser(issuer: issuer, subject: subject)
    if let email = claims.told(.email) {
      guard let text = email.string, isPlain(text, longest: 320) else { throw .email }
      user.email = text
      user.emailVerified = isTrue(claims.told(.emailVerified))
    }
    for name in ProviderUser.readClaims {
      if let text = claims.told(name)?.string, isPlain(text, longest: 2048) { user.claims[name] = text }
    }
    return Taken(user: user, issuedAt: verified.issuedAt, expiresAt: verified.expiresAt, isActive: isActive)
  }

  /// The same as a value.
  static func result(
    _ token: String, keys: VerificationKeys, _ expected: Expectation, now: Int64
  ) -> Result<Taken, Flaw> {
    do {
      return .success(try verify(token, keys: keys, expected, now: now))
    } catch {
      return .failure(error)
    }
  }

  /// Every audience must be ours, and so must the authorized party: a token with a second audience can be used by both,
  /// and either could play it to us.
  private static func checkAudience(_ claims: JSONValue, _ expected: Expectation) throws(Flaw) {
    guard let audiences = claims.told(.audience)?.texts(atMost: 20), !audiences.isEmpty else { throw .audience }
    // GUARD: id token: audience
    guard audiences.allSatisfy({ contains(expected.audiences, $0) }) else { throw .audience }
    switch claims.told(.authorizedParty) {
    case nil:
      // GUARD: id token: several audiences and no party
      guard audiences.count == 1 else { throw .authorizedParty }
    case .string(let party):
      // GUARD: id token: authorized party
      guard contains(expected.audiences, party) else { throw .authorizedParty }
    default: throw .authorizedParty
    }
  }

  private static func activity(_ authTime: JSONValue?, _ expected: Activity, now: Int64) throws(Flaw) -> Bool? {
    let (since, isDemanded): (Int64, Bool)
    switch expected {
    case .notSaid: return nil
    case .noted(let moment): (since, isDemanded) = (moment, false)
    case .demanded(let moment): (since, isDemanded) = (moment, true)
    }
    // GUARD: id token: auth_time is a number
    let said = authTime?.wholeNumber
    let isActive = said.map { at in
      at >= since - leeway  // GUARD: id token: auth_time of long ago
        && at <= now + leeway  // GUARD: id token: auth_time to come
    }
    // GUARD: id token: a sign-in of just now where one was asked for
    guard isActive == true || !isDemanded else { throw .authTime }
    return isActive ?? false
  }

  private static func checkNonce(_ claims: JSONValue, _ nonce: String) throws(Flaw) {
    guard (1...longestNonce).contains(nonce.utf8.count), let said = claims.told(.nonce)?.string else { throw .nonce }
    let hashed = Hex.encode(SHA256.digest(nonce))
    // GUARD: id token: nonce
    guard said.utf8.elementsEqual(nonce.utf8) || said.utf8.elementsEqual(hashed.utf8) else { throw .nonce }
  }

  /// Only the truth itself is true, also as the text in which Apple and others send it.
  package static func isTrue(_ value: JSONValue?) -> Bool {
    switch value {
    case .bool(let truth): truth  // GUARD: id token: email_verified is what it says
    case .string(let text): text.utf8.elementsEqual("true".utf8)  // GUARD: id token: only one text is true
    default: false
    }
  }

  /// Compared as bytes: `==` on text calls different bytes the same.
  private static func contains(_ list: [String], _ text: String) -> Bool {
    list.contains { $0.utf8.elementsEqual(text.utf8) }
  }

  /// Text without control characters, not empty.
  package static func isPlain(_ text: String, longest: Int) -> Bool {
    (1...longest).contains(text.utf8.count) && text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
  }
}
