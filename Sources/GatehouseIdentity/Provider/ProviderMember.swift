package import GatehousePrimitives

/// A member of the JSON of providers that is read, as a row of one table: where it stands, and which forms it has by
/// RFC 7519 section 4.1, RFC 6749 section 5.1 and OpenID Connect Core sections 2 and 5.1. A test sends each form.
package enum ProviderMember: String, CaseIterable, Sendable {
  case issuer = "iss"
  case subject = "sub"
  case audience = "aud"
  case authorizedParty = "azp"
  case nonce
  case expiresAt = "exp"
  case issuedAt = "iat"
  case notBefore = "nbf"
  case authTime = "auth_time"
  case email
  case emailVerified = "email_verified"
  case name
  case givenName = "given_name"
  case familyName = "family_name"
  case picture
  case accessToken = "access_token"
  case tokenType = "token_type"
  case expiresIn = "expires_in"
  case refreshToken = "refresh_token"
  case idToken = "id_token"
  case scope
  case error

  package enum Place: Sendable {
    case idToken, tokenAnswer
  }

  package enum Form: Sendable {
    /// Text that is compared by its bytes.
    case text
    /// Text, or a list of texts.
    case oneOrMore
    /// Seconds since 1970 with or without a fraction (NumericDate).
    case time
    /// Seconds with or without a fraction; some providers send them as text.
    case duration
    /// `true`; some providers send it as text.
    case truth
    /// Words between separators; some providers send a list.
    case words
    /// A word in any case.
    case word
    /// Text that the user did not type. Any other form of it is left out.
    case decoration
  }

  package var place: Place {
    switch self {
    case .issuer, .subject, .audience, .authorizedParty, .nonce, .expiresAt, .issuedAt, .notBefore, .authTime, .email,
      .emailVerified, .name, .givenName, .familyName, .picture:
      .idToken
    case .accessToken, .tokenType, .expiresIn, .refreshToken, .idToken, .scope, .error: .tokenAnswer
    }
  }

  package var form: Form {
    switch self {
    case .issuer, .subject, .authorizedParty, .nonce, .email, .accessToken, .refreshToken, .idToken, .error: .text
    case .audience: .oneOrMore
    case .expiresAt, .issuedAt, .notBefore, .authTime: .time
    case .expiresIn: .duration
    case .emailVerified: .truth
    case .scope: .words
    case .tokenType: .word
    case .name, .givenName, .familyName, .picture: .decoration
    }
  }

  /// Whether nothing is accepted without it. A nonce is demanded where one was sent.
  package var isRequired: Bool {
    switch self {
    case .issuer, .subject, .audience, .expiresAt, .issuedAt, .nonce, .accessToken, .tokenType: true
    default: false
    }
  }
}

extension JSONValue {
  /// The value of a member. Null and empty text are read as a member that is left out (OpenID Connect Core section
  /// 5.3.2, RFC 6749 section 3.1).
  package func told(_ name: String) -> JSONValue? {
    switch self[name] {
    case nil, .null: nil
    case .string(let text) where text.utf8.isEmpty: nil
    case let value?: value
    }
  }

  /// The same of a member of the table.
  package func told(_ member: ProviderMember) -> JSONValue? { told(member.rawValue) }

  /// The texts of one value or a list; nil for any other form.
  package func texts(atMost count: Int) -> [String]? {
    switch self {
    case .string(let one): return [one]
    case .array(let many) where many.count <= count:
      let texts = many.compactMap(\.string)
      return texts.count == many.count ? texts : nil
    default: return nil
    }
  }
}
