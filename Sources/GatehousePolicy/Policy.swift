/// Everything that differs between apps, as one immutable value: what one policy file says. A request sees exactly one.
public struct Policy: Sendable, Hashable {
  /// `gatehouse/policy.v1`.
  public var schema: String
  public var tenant: String
  public var app: App
  public var identifiers: Identifiers
  public var password: PasswordPolicy
  public var profile: ProfilePolicy
  public var verification: Verification
  public var access: AccessPolicy
  /// In file order.
  public var providers: [Provider]
  public var sessions: Sessions
  public var privacy: Privacy
  public var admins: Admins?
  public var limits: Limits
  public var theme: Theme
  public var exceptions: [PolicyException]

  public init(
    schema: String = Policy.schema, tenant: String, app: App, identifiers: Identifiers, password: PasswordPolicy,
    profile: ProfilePolicy = ProfilePolicy(), verification: Verification = Verification(),
    access: AccessPolicy = AccessPolicy(), providers: [Provider] = [Provider(name: "password", use: .signIn)],
    sessions: Sessions = Sessions(), privacy: Privacy = Privacy(), admins: Admins? = nil, limits: Limits = Limits(),
    theme: Theme = Theme(), exceptions: [PolicyException] = []
  ) {
    self.schema = schema
    self.tenant = tenant
    self.app = app
    self.identifiers = identifiers
    self.password = password
    self.profile = profile
    self.verification = verification
    self.access = access
    self.providers = providers
    self.sessions = sessions
    self.privacy = privacy
    self.admins = admins
    self.limits = limits
    self.theme = theme
    self.exceptions = exceptions
  }

  /// The one schema there is.
  public static let schema = "gatehouse/policy.v1"

  /// The provider of this name, if the file lists it.
  public func provider(_ name: String) -> Provider? { providers.first { $0.name == name } }
}
