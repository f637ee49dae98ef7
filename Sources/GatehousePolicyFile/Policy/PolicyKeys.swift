import GatehousePolicy

/// Every key of a policy file: what the reader accepts, what did-you-mean suggests and what the JSON Schema says.
enum PolicyKeys {
  static let file = MapShape(
    "the policy",
    [
      Key("schema", trust: false, .nothing, .choice([Policy.schema]), required: true, "The language and its version."),
      Key("tenant", trust: false, .unsure, .text(Forms.tenant), required: true, "The tenant this policy belongs to."),
      section("app", AppKeys.app.shape, required: true, "The app behind the tenant."),
      section("identifiers", identifiers, "The identifiers that people sign in with, and their rules."),
      section("password", password, required: true, "The rules on passwords."),
      section("profile", ProfileKeys.profile.shape, "The fields of a profile and their rules."),
      section("verification", verification, "How ownership of an address is proven."),
      section("access", access, "The requirements of full access."),
      Key(
        "providers", trust: false, .decided(by: .providers), providers,
        "Ways to sign in and accounts to link; unless password is among them, no user has a password."),
      section("sessions", SessionKeys.sessions.shape, "How long sessions and tokens last."),
      section("presence", LimitKeys.presence.shape, "When people count as online, and who sees it."),
      section("directory", DirectoryKeys.directory.shape, "How users find each other; not at all without it."),
      section("mail", MailKeys.mail, "The sender of mails to people."),
      section("privacy", LimitKeys.privacy.shape, "The facts that strangers may learn."),
      section("accounts", LimitKeys.accounts.shape, "The life of accounts."),
      section("mfa", MFAKeys.mfa.shape, "Second factors; none can be added without it."),
      section("passkeys", PasskeyKeys.passkeys.shape, "Passkeys; none can be added without it."),
      section("admins", AdminKeys.admins.shape, "Which users administer the tenant."),
      section(
        "attest", AttestKeys.attest.shape, trust: true, "Which doors open to attested copies of the app alone."),
      section("limits", LimitKeys.limits.shape, "How often things may be tried."),
      section("theme", LookKeys.theme.shape, "The looks of pages and mails."),
      section(
        "messages", LookKeys.messages.shape,
        "Own words for refusals by code, and for pages and mails by name, per language."),
      Key(
        "exceptions", trust: false, .decided(by: .exceptions), .list(.map(exception), count: 0...200),
        "Addresses a rule does not bind, until a day."),
      Key("users", trust: false, .nothing, .dictionary(TestKeys.users), "Sample people of the tests, by name."),
      Key(
        "tests_at", trust: false, .nothing, .date, "The day the tests are about, where a test has no at: of its own."),
      Key(
        "tests", trust: false, .nothing, .list(.map(TestKeys.test), count: 0...500),
        "Tests of the policy, which run at every check."),
      Key(
        "always", trust: false, .nothing, .list(.map(StatementKeys.statement), count: 0...100),
        "Statements that hold for every request, which every check proves or refutes."),
    ])

  private static func section(
    _ name: String, _ shape: MapShape, trust: Bool = false, required: Bool = false, _ summary: String
  ) -> Key {
    Key(name, trust: trust, .keys, .map(shape), required: required, summary)
  }

  static let identifiers = MapShape(
    "identifiers",
    signIn.shape.keys + [
      Key("email", trust: false, .keys, .map(email), "The rules on addresses."),
      Key("phone", trust: false, .unsure, .any, available: false, "Sign-in by phone number."),
      Key("username", trust: false, .unsure, .any, available: false, "Sign-in by username."),
    ])

  static let signIn = SettingTable<Identifiers>(
    "identifiers",
    [
      .words(
        "sign_in_with", \.signInWith, count: 1...3, .fewerIsStricter, trust: false,
        "The identifiers that people sign in with.")
    ])

  static let email = MapShape(
    "identifiers.email", normalize.shape.keys + RuleKeys.settings(at: .email) + RuleKeys.section)

  static let normalize = SettingTable<EmailPolicy>(
    "identifiers.email",
    [
      .choice(
        "normalize", \.normalize, .unsure, trust: false, "How addresses are stored.",
        slips: { email in
          guard email.normalize == .lowercase else { return [] }
          var other = email
          other.normalize = .none
          return [("lowercase → none", other)]
        })
    ])

  static let typing = SettingTable<PasswordPolicy>(
    "password",
    [
      .boolean(
        "repeat", \.isRepeated, .looks, trust: false, "Pages ask for a new password twice, which is the default.")
    ])

  static let password = MapShape(
    "password",
    typing.shape.keys + [
      Key(
        "max_length", trust: false, .decided(by: .rule), RuleKeys.setting(.maxLength, at: .password),
        "At most so many code points; 128 by default."),
      Key(
        "existing", trust: false, .decided(by: .rule), RuleKeys.existing,
        "The effect of a tightened rule on people already stored."),
      Key(
        "rules", trust: false, .decided(by: .rule), .list(.map(RuleKeys.passwordRule), count: 0...50), required: true,
        "The rules, in the order of the checklist."),
    ])

  static let verification = MapShape(
    "verification",
    [Key("email", trust: false, .keys, .map(VerificationKeys.email.shape), "How an e-mail address is proven.")])

  static let access = MapShape("access", [Key("full", trust: false, .keys, .map(fullAccess), "When access is full.")])

  static let fullAccess = MapShape(
    "access.full",
    [
      Key(
        "requires", trust: false, .decided(by: .requirements),
        .list(.either([.text(requirement), .map(stagedRequirement)]), count: 0...20),
        required: true,
        "The requirements of full access.")
    ])

  static let requirement = TextForm(
    "email_verified, \"linked:PROVIDER\" or \"profile:FIELD\"", code: .unknownRequirement, lengths: 1...120,
    pattern: "^(email_verified|phone_verified|mfa|linked:.+|profile:.+)$", words: ["email_verified"],
    accepts: { Requirement.Need($0) != nil })

  static let stagedRequirement = MapShape(
    "requirement", label: "need",
    [
      Key(
        "need", trust: false, .decided(by: .requirements), .text(requirement), required: true, "The requirement.")
    ] + RuleKeys.stage)

  static let exception = MapShape(
    "exception", label: "email",
    [
      Key("email", trust: false, .decided(by: .exceptions), .text(Forms.email), required: true, "The address."),
      Key(
        "rule", trust: false, .decided(by: .exceptions), .text(Forms.token), required: true,
        "The rule that does not bind it."),
      Key("until", trust: false, .decided(by: .exceptions), .date, required: true, "The last day."),
      Key("reason", trust: false, .decided(by: .exceptions), .text(.any(200)), required: true, "Why."),
    ])

  static var providers: Shape {
    .dictionary(DictionaryShape("provider", names: Forms.name, .map(ProviderKeys.provider), count: 0...20))
  }
}

/// Bounds that several keys share.
enum Bounds {
  /// In seconds.
  static let tenYears: Int64 = 3650 * 86_400
  /// RFC 6265bis section 5.5: the longest life of a cookie, in seconds.
  static let cookie: Int64 = 400 * 86_400
  /// NIST SP 800-63B section 4.2.2, OWASP ASVS 6.5: a link that recovers an account, in seconds.
  static let linkCeiling: Int64 = 86_400
  /// OWASP ASVS 6.5: a short code, in seconds.
  static let codeCeiling: Int64 = 600
}
