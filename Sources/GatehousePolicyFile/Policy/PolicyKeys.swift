import GatehousePolicy

/// Every key of a policy file: what the reader accepts, what did-you-mean suggests and what the JSON Schema says.
enum PolicyKeys {
  static let file = MapShape(
    "the policy",
    [
      Key("schema", trust: false, .choice([Policy.schema]), required: true, "The language and its version."),
      Key("tenant", trust: false, .text(Forms.tenant), required: true, "The tenant this policy belongs to."),
      Key("app", trust: false, .map(app), required: true, "The app behind the tenant."),
      Key("identifiers", trust: false, .map(identifiers), "The identifiers that people sign in with, and their rules."),
      Key("password", trust: false, .map(password), required: true, "The rules on passwords."),
      Key("profile", trust: false, .map(profile), "The fields of a profile and their rules."),
      Key("verification", trust: false, .map(verification), "How ownership of an address is proven."),
      Key("access", trust: false, .map(access), "The requirements of full access."),
      Key(
        "providers", trust: false, providers,
        "Ways to sign in and accounts to link; unless password is among them, no user has a password."),
      Key("sessions", trust: false, .map(sessions), "How long sessions and tokens last."),
      Key("presence", trust: false, .map(presence), "When people count as online, and who sees it."),
      Key(
        "directory", trust: false, .map(DirectoryKeys.directory), "How users find each other; not at all without it."),
      Key("mail", trust: false, .map(MailKeys.mail), "The sender of mails to people."),
      Key("privacy", trust: false, .map(privacy), "The facts that strangers may learn."),
      Key("mfa", trust: false, .any, available: false, "Second factors."),
      Key("admins", trust: false, .map(admins), "Which users administer the tenant."),
      Key("attest", trust: true, .map(AttestKeys.attest), "Which doors open to attested copies of the app alone."),
      Key("limits", trust: false, .map(limits), "How often things may be tried."),
      Key("theme", trust: false, .map(theme), "The looks of pages and mails."),
      Key("messages", trust: false, .map(messages), "Own words for refusals that people meet, by code and language."),
      Key(
        "exceptions", trust: false, .list(.map(exception), count: 0...200),
        "Addresses a rule does not bind, until a day."),
      Key("users", trust: false, .dictionary(TestKeys.users), "Sample people of the tests, by name."),
      Key("tests_at", trust: false, .date, "The day the tests are about, where a test has no at: of its own."),
      Key(
        "tests", trust: false, .list(.map(TestKeys.test), count: 0...500),
        "Tests of the policy, which run at every check."),
      Key(
        "always", trust: false, .list(.map(StatementKeys.statement), count: 0...100),
        "Statements that hold for every request, which every check proves or refutes."),
    ])

  static let app = MapShape(
    "app",
    [
      Key("name", trust: false, .text(.any(80)), required: true, "Shown to people."),
      Key("support_email", trust: false, .text(Forms.email), "Where people can ask for help."),
      Key(
        "locales", trust: false, .list(.text(Forms.language), count: 1...20),
        "Languages of texts and mails, the first by default."),
      Key("base_url", trust: true, .text(Forms.serverURL), "Overrides the server's public URL in links."),
      Key("audience", trust: true, .text(Forms.token), "`aud` of access tokens; the tenant id by default."),
      Key("bundle_ids", trust: true, .list(.text(Forms.token), count: 0...20), "Ids of the apps on Apple platforms."),
      Key("origins", trust: true, .list(.text(Forms.origin), count: 0...50), "Web origins that may call (CORS)."),
      Key(
        "continue", trust: true, .list(.text(Forms.returnURL), count: 0...50),
        "Where pages may lead back to, compared byte by byte."
      ),
      Key("open_app", trust: true, .text(Forms.returnURL), "A link that opens the app."),
    ])

  static let identifiers = MapShape(
    "identifiers",
    [
      Key(
        "sign_in_with", trust: false, .list(.choice(Identifiers.SignInWith.allCases.map(\.rawValue)), count: 1...3),
        "The identifiers that people sign in with."),
      Key("email", trust: false, .map(email), "The rules on addresses."),
      Key("phone", trust: false, .any, available: false, "Sign-in by phone number."),
      Key("username", trust: false, .any, available: false, "Sign-in by username."),
    ])

  static let email = MapShape(
    "identifiers.email",
    [
      Key(
        "normalize", trust: false, .choice(EmailPolicy.Normalize.allCases.map(\.rawValue)), "How addresses are stored.")
    ] + RuleKeys.settings(at: .email) + RuleKeys.section)

  static let password = MapShape(
    "password",
    [
      Key(
        "max_length", trust: false, RuleKeys.setting(.maxLength, at: .password),
        "At most so many code points; 128 by default."),
      Key("existing", trust: false, RuleKeys.existing, "The effect of a tightened rule on people already stored."),
      Key(
        "rules", trust: false, .list(.map(RuleKeys.passwordRule), count: 0...50), required: true,
        "The rules, in the order of the checklist."),
    ])

  static let profile = MapShape(
    "profile",
    [
      Key(
        "unknown_fields", trust: false, .choice(ProfilePolicy.UnknownFields.allCases.map(\.rawValue)),
        "The treatment of fields that are not listed."),
      Key(
        "fields", trust: false,
        .dictionary(DictionaryShape("profile field", names: Forms.fieldName, .map(field), count: 0...100)),
        "The fields, in the order of forms and answers."),
    ])

  static let field = MapShape(
    "profile field",
    [
      Key(
        "type", trust: false, .choice(FieldType.allCases.map(\.rawValue)), required: true,
        "The type of the field's values."),
      Key(
        "label", trust: false, RuleKeys.texts("label", most: 80),
        "The field as people read it, per language; made of its name by default."),
      Key("at_sign_up", trust: false, .boolean, "The sign-up page asks for the field although it is not required."),
      Key("default", trust: false, .any, "Stored where none is given."),
      Key("trim", trust: false, .boolean, "White space at both ends is cut off before anything is judged."),
      Key(
        "unique", trust: false, .either([.boolean, .choice([Field.Unique.ignoreCase.rawValue])]),
        "No two accounts hold the same value."),
      Key("region", trust: false, .text(Forms.region), "Where a phone number without a country code belongs."),
      Key("store", trust: false, .choice(["e164"]), "How a phone number is stored."),
      Key(
        "check", trust: false, .choice(Field.PhoneCheck.allCases.map(\.rawValue)),
        "How closely a phone number is looked at."),
      Key("write", trust: false, .choice(Field.Write.allCases.map(\.rawValue)), "The writers of the field."),
      Key("visible_to", trust: false, .choice(Field.Visibility.allCases.map(\.rawValue)), "The readers of the field."),
      Key("claim", trust: false, .boolean, "The field goes into access tokens."),
    ] + RuleKeys.settings(at: .field) + RuleKeys.section)

  static let verification = MapShape(
    "verification",
    [Key("email", trust: false, .map(emailVerification), "How an e-mail address is proven.")])

  static let emailVerification = MapShape(
    "verification.email",
    [
      Key(
        "method", trust: false, .choice(EmailVerification.Method.allCases.map(\.rawValue)),
        "A link, a six-digit code, or both."),
      Key(
        "confirm", trust: false, .choice(EmailVerification.Confirm.allCases.map(\.rawValue)),
        "The proof beside a link or code: the account (its session or password), or the click alone."),
      Key("link_ttl", trust: false, .duration(60...Bounds.tenYears), "How long a link lives, at most 24h."),
      Key("code_ttl", trust: false, .duration(60...Bounds.tenYears), "How long a code lives, at most 10m."),
      Key("on_sign_up", trust: false, .boolean, "Sign-up sends the mail by itself."),
      Key("resend_cooldown", trust: false, .duration(0...86_400), "Time between two mails to one account."),
      Key("max_sends_per_day", trust: false, .integer(1...100), "Mails to one account per day."),
    ])

  static let access = MapShape("access", [Key("full", trust: false, .map(fullAccess), "When access is full.")])

  static let fullAccess = MapShape(
    "access.full",
    [
      Key(
        "requires", trust: false, .list(.either([.text(requirement), .map(stagedRequirement)]), count: 0...20),
        required: true,
        "The requirements of full access.")
    ])

  static let requirement = TextForm(
    "email_verified, \"linked:PROVIDER\" or \"profile:FIELD\"", code: .unknownRequirement, lengths: 1...120,
    pattern: "^(email_verified|phone_verified|mfa|linked:.+|profile:.+)$", words: ["email_verified"],
    accepts: { Requirement.Need($0) != nil })

  static let stagedRequirement = MapShape(
    "requirement", label: "need",
    [Key("need", trust: false, .text(requirement), required: true, "The requirement.")] + RuleKeys.stage)

  static let sessions = MapShape(
    "sessions",
    [
      Key("access_token_ttl", trust: false, .duration(10...86_400), "How long an access token lives."),
      Key("refresh_idle_ttl", trust: false, .duration(60...Bounds.tenYears), "A session unused this long ends."),
      Key("refresh_max_ttl", trust: false, .duration(60...Bounds.tenYears), "A session ends this long after sign-in."),
      Key(
        "page_idle_ttl", trust: false, .duration(60...Bounds.cookie),
        "A browser at the hosted pages that is unused this long is signed out; 24h by default."),
      Key(
        "page_max_ttl", trust: false, .duration(60...Bounds.cookie),
        "A browser at the hosted pages is signed out this long after its sign-in; 30d by default."),
      Key("reuse_grace", trust: false, .duration(0...30), "How long the previous refresh token still answers."),
      Key("max_per_user", trust: false, .integer(1...1000), "Sessions per person; the oldest is ended."),
      Key("new_device_notice", trust: false, .boolean, "A sign-in on a device not seen before is told by mail."),
    ])

  static let presence = MapShape(
    "presence",
    [
      Key(
        "idle", trust: false, .duration(60...86_400), "Online until this long after the last request; 20m by default."),
      Key(
        "visible_to", trust: false, .choice(PresencePolicy.Visibility.allCases.map(\.rawValue)),
        "The readers besides administrators; users by default."),
    ])

  static let privacy = MapShape(
    "privacy",
    [
      Key(
        "account_exists", trust: false, .choice(Privacy.AccountExists.allCases.map(\.rawValue)),
        "Whether sign-up says that an address is taken.")
    ])

  static let admins = MapShape(
    "admins",
    [
      Key(
        "when", trust: false, .dictionary(DictionaryShape("condition", names: Forms.fieldName, .any, count: 1...10)),
        required: true,
        "Profile fields and the values that make an administrator."),
      Key(
        "may", trust: false, .list(.choice(Admins.Right.allCases.map(\.rawValue)), count: 0...10), required: true,
        "The rights of administrators in the API."),
    ])

  static let limits = MapShape(
    "limits",
    Limits.Name.allCases.map {
      Key($0.rawValue, trust: false, .limit, "A number of times per duration, such as 10/15m.")
    })

  static let theme = MapShape(
    "theme",
    [
      Key(
        "logo", trust: false, .text(Forms.fileName),
        "Read and used for nothing: `gatehouse tenant logo set` sets the logo."),
      Key("primary", trust: false, .text(Forms.colour), "The main colour."),
      Key("dark_mode", trust: false, .choice(Theme.DarkMode.allCases.map(\.rawValue)), "Whether pages are dark."),
    ])

  static let messages = MapShape(
    "messages",
    Messages.Code.allCases.map {
      Key($0.rawValue, trust: false, RuleKeys.texts("text"), "Title of this refusal, per language.")
    })

  static let exception = MapShape(
    "exception", label: "email",
    [
      Key("email", trust: false, .text(Forms.email), required: true, "The address."),
      Key("rule", trust: false, .text(Forms.token), required: true, "The rule that does not bind it."),
      Key("until", trust: false, .date, required: true, "The last day."),
      Key("reason", trust: false, .text(.any(200)), required: true, "Why."),
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
