import GatehousePolicy
import GatehousePrimitives

/// A person as a provider vouches for them. Only `issuer` and `subject` say who it is.
package struct ProviderUser: Sendable, Equatable, Codable {
  package var issuer: String
  package var subject: String
  package var email: String?
  /// Whether the provider proved that the person reads mail at that address.
  package var emailVerified: Bool
  /// Its further claims, under the names of OpenID Connect Core section 5.1.
  package var claims: [String: String]

  package init(
    issuer: String, subject: String, email: String? = nil, emailVerified: Bool = false, claims: [String: String] = [:]
  ) {
    self.issuer = issuer
    self.subject = subject
    self.email = email
    self.emailVerified = emailVerified
    self.claims = claims
  }

  /// Claims that are read, and the fields that take them where a policy has one of these names.
  private static let fields: [(claim: ProviderMember, names: [String])] = [
    (.name, ["name", "displayName", "display_name", "fullName", "full_name"]),
    (.givenName, ["givenName", "given_name", "firstName", "first_name"]),
    (.familyName, ["familyName", "family_name", "lastName", "last_name"]),
    (.picture, ["picture", "photoURL", "photo_url", "avatar", "avatarURL", "avatar_url"]),
  ]

  static var readClaims: [String] { fields.map(\.claim.rawValue) }

  /// The facts about the person that a policy may ask. A name is one line, as long as its field takes at most.
  func facts(_ provider: Provider, scopes: [String], _ policy: Policy) -> ProviderFacts {
    var profile: [String: FieldValue] = [:]
    for (claim, names) in ProviderUser.fields {
      guard let value = claims[claim.rawValue],
        let field = policy.profile.fields.first(where: { names.contains($0.name) })
      else { continue }
      // An address that is cut is another address.
      let text = claim == .picture ? value : Decoration.line(value, longest: field.longestText)
      profile[field.name] = text.map(FieldValue.string)
    }
    return ProviderFacts(
      name: provider.name, email: email, emailVerified: emailVerified, profile: profile, scopes: scopes)
  }
}

extension Field {
  /// Code points of the longest text that the field takes from a provider's new user; nil for any length.
  fileprivate var longestText: Int? {
    rules.filter { $0.doors.contains(.federatedSignUp) }.compactMap(\.longestText).min()
  }
}

extension ProviderUser: CustomStringConvertible, CustomReflectable {
  /// Nothing about the person.
  package var description: String { "ProviderUser(…)" }
  /// Nothing to see.
  package var customMirror: Mirror { Mirror(self, children: []) }
}
