/// Everything that differs between apps, as one immutable value: what one policy file says. A request sees exactly one.
public struct Policy: Sendable, Hashable {
  /// `gatehouse/policy.v1`.
  public var schema: String
  /// Id of the tenant, as in URLs.
  public var tenant: String
  /// The app behind it.
  public var app: App
  /// The identifiers that people sign in with.
  public var identifiers: Identifiers
  /// The rules on passwords.
  public var password: PasswordPolicy
  /// The fields of the profile.
  public var profile: ProfilePolicy
  /// The verification of addresses.
  public var verification: Verification
  /// The requirements of full access.
  public var access: AccessPolicy
  /// In file order. `password` is one of them where the password door is open.
  public var providers: [Provider]
  /// Where `providers:` stands; `none` where the file has no such section.
  public var providersPosition = SourcePosition.none
  /// The revision was applied under an earlier meaning of the language: its password door is open though `providers:`
  /// does not name `password`.
  public var keepsPasswordDoor = false
  /// The lifetimes of sessions.
  public var sessions: Sessions
  /// When people count as online, and who sees it.
  public var presence: PresencePolicy
  /// The directory of users; nil: users cannot find each other.
  public var directory: DirectoryPolicy?
  /// The sender of mails.
  public var mail: MailPolicy
  /// The facts that strangers may learn.
  public var privacy: Privacy
  /// The life of accounts.
  public var accounts = AccountsPolicy()
  /// Second factors; nil: none can be added, and none is demanded.
  public var mfa: MFA?
  /// Passkeys; nil: none can be added.
  public var passkeys: Passkeys?
  /// The administrators of the tenant; nil: no user.
  public var admins: Admins?
  /// The doors that demand an attested app; nil: none.
  public var attest: Attest?
  /// The limits on attempts.
  public var limits: Limits
  /// The looks of pages and mails.
  public var theme: Theme
  /// The tenant's own words for refusals.
  public var messages: Messages
  /// Addresses single rules do not bind.
  public var exceptions: [PolicyException]

  /// The defaults are those of a file that is silent.
  public init(
    schema: String = Policy.schema, tenant: String, app: App, identifiers: Identifiers, password: PasswordPolicy,
    profile: ProfilePolicy = ProfilePolicy(), verification: Verification = Verification(),
    access: AccessPolicy = AccessPolicy(), providers: [Provider] = [Provider(name: "password", use: .signIn)],
    sessions: Sessions = Sessions(), presence: PresencePolicy = PresencePolicy(), directory: DirectoryPolicy? = nil,
    mail: MailPolicy = MailPolicy(), privacy: Privacy = Privacy(), admins: Admins? = nil, attest: Attest? = nil,
    limits: Limits = Limits(), theme: Theme = Theme(), messages: Messages = Messages(),
    exceptions: [PolicyException] = []
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
    self.presence = presence
    self.directory = directory
    self.mail = mail
    self.privacy = privacy
    self.admins = admins
    self.attest = attest
    self.limits = limits
    self.theme = theme
    self.messages = messages
    self.exceptions = exceptions
  }

  /// The one schema there is.
  public static let schema = "gatehouse/policy.v1"

  /// The provider of this name, if the file lists it.
  public func provider(_ name: String) -> Provider? { providers.first { $0.name == name } }
}
