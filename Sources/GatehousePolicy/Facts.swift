public import Foundation

/// The facts that a door judges: the request, its writer, and the stored state of the person.
public struct Facts: Sendable {
  /// The writer of the values.
  public enum Writer: Sendable, Hashable {
    case user, admin
    /// The operator's own tools.
    case system
  }

  /// The address as given; nil when none was.
  public var email: String?
  /// The password as given, plain; nil when none was. At `sign_in` it is the right one, or nil when it is not known.
  public var password: String?
  /// Whether a new account gets a passkey in the place of a password.
  public var bringsPasskey: Bool
  /// The fields as given. A field that is absent was not given; `.null` clears it.
  public var profile: [String: FieldValue]
  /// The writer of the values.
  public var writer: Writer
  /// The assertions of an identity provider, at `federated_sign_up` and `link`.
  public var provider: ProviderFacts?
  /// The account as stored; nil where there is none yet.
  public var stored: StoredFacts?
  /// The session that asks; nil: none is known, and what it has proven is not judged.
  public var session: SessionFacts?
  /// Names of unique fields whose given value another account holds, once the store has said so.
  public var taken: Set<String>

  /// Creates facts; an argument that is left out is not known.
  public init(
    email: String? = nil, password: String? = nil, profile: [String: FieldValue] = [:], writer: Writer = .user,
    provider: ProviderFacts? = nil, stored: StoredFacts? = nil, session: SessionFacts? = nil,
    taken: Set<String> = [], bringsPasskey: Bool = false
  ) {
    self.bringsPasskey = bringsPasskey
    self.email = email
    self.password = password
    self.profile = profile
    self.writer = writer
    self.provider = provider
    self.stored = stored
    self.session = session
    self.taken = taken
  }
}

/// The assertions of an identity provider about a person.
public struct ProviderFacts: Sendable {
  /// The name in the policy.
  public var name: String
  /// The address of this record.
  public var email: String?
  /// Whether ownership of the address is proven.
  public var emailVerified: Bool
  /// Under the policy's field names; names the policy does not have are ignored.
  public var profile: [String: FieldValue]
  /// Scopes it granted.
  public var scopes: [String]

  /// Creates facts; an argument that is left out is not known.
  public init(
    name: String, email: String? = nil, emailVerified: Bool = false, profile: [String: FieldValue] = [:],
    scopes: [String] = []
  ) {
    self.name = name
    self.email = email
    self.emailVerified = emailVerified
    self.profile = profile
    self.scopes = scopes
  }
}

/// The stored facts about a person, as far as a policy can ask.
public struct StoredFacts: Sendable {
  /// The address of this record; nil where it has none.
  public var email: String?
  /// Whether ownership of the address is proven.
  public var emailVerified: Bool
  /// Whether ownership of the telephone number is proven.
  public var phoneVerified: Bool
  /// Stored values by field.
  public var profile: [String: FieldValue]
  /// Granted scopes by provider.
  public var links: [String: [String]]
  /// Names of enrolled second factors.
  public var factors: [String]
  /// The door the account was made at. Required fields that `federated_sign_up` or `invite` left open still have to be
  /// filled.
  public var enteredBy: Door
  /// A sign-in found that the password no longer complies and the policy requires a new one.
  public var mustChangePassword: Bool
  /// Nil: not known, or there is no password.
  public var passwordChangedAt: Date?
  /// The first session under a demand for a second factor; nil: none yet, so that the grace begins now.
  public var mfaAskedAt: Date?

  /// Creates facts; an argument that is left out is not known.
  public init(
    email: String?, emailVerified: Bool = false, phoneVerified: Bool = false, profile: [String: FieldValue] = [:],
    links: [String: [String]] = [:], factors: [String] = [], enteredBy: Door = .signUp,
    mustChangePassword: Bool = false, passwordChangedAt: Date? = nil, mfaAskedAt: Date? = nil
  ) {
    self.email = email
    self.emailVerified = emailVerified
    self.phoneVerified = phoneVerified
    self.profile = profile
    self.links = links
    self.factors = factors
    self.enteredBy = enteredBy
    self.mustChangePassword = mustChangePassword
    self.passwordChangedAt = passwordChangedAt
    self.mfaAskedAt = mfaAskedAt
  }
}

/// The proofs of a session, as far as a policy can ask.
public struct SessionFacts: Sendable, Hashable {
  /// The level of its proofs; a remembered device counts as the second proof that it stands in for.
  public var level: AssuranceLevel
  /// The newest second proof; nil: there is none, or its time is not known.
  public var secondProofAt: Date?

  /// A session without a second proof by default.
  public init(level: AssuranceLevel = .aal1, secondProofAt: Date? = nil) {
    self.level = level
    self.secondProofAt = secondProofAt
  }
}

extension Facts: CustomStringConvertible, CustomReflectable {
  /// Nothing of what came in: a password may be among it.
  public var description: String { "Facts(…)" }
  /// Nothing to see.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
