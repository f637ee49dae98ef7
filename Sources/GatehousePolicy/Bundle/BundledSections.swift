/// The keys of a bundle, by section. Names are those of policy files.
enum BundleKeys {
  static let app = BundleTable<App>([
    .text("name", \.name, required: true),
    .text("support_email", \.supportEmail),
    .texts("locales", \.locales),
  ])

  static let identifiers = BundleTable<Identifiers>([
    .words("sign_in_with", \.signInWith),
    .section("email", \.email, email, draft: { EmailDraft($0) }, made: { $0.section }),
  ])

  private static let email = BundleTable<EmailDraft>([
    .word("normalize", \.normalize),
    .word("existing", \.existing),
    .spoken("message", \.implied.message),
    .spoken("sentence", \.implied.sentence),
    .doors("doors", \.implied.doors),
    .rules("rules", \.rules, at: .email),
  ])

  static let password = BundleTable<PasswordDraft>([
    .flag("repeat", \.isRepeated),
    .word("existing", \.existing),
    .rules("rules", \.rules, at: .password),
  ])

  static let verification = BundleTable<Verification>([
    .section("email", \.email, emailVerification)
  ])

  private static let emailVerification = BundleTable<EmailVerification>([
    .word("method", \.method),
    .word("confirm", \.confirm),
    .seconds("code_ttl", \.codeTTL),
    .flag("on_sign_up", \.onSignUp),
    .seconds("resend_cooldown", \.resendCooldown),
  ])

  static let access = BundleTable<AccessPolicy>([
    .list("full", \.full, RequirementDraft.table, silent: RequirementDraft(), draft: { RequirementDraft($0) }) {
      draft, value in
      guard let need = Requirement.Need(draft.need) else {
        throw PolicyBundleError.unexpected(value.path(of: "need"), expected: "a requirement of access")
      }
      return Requirement(need, enforcement: draft.enforcement)
    }
  ])

  static let sessions = BundleTable<Sessions>([
    .seconds("access_token_ttl", \.accessTokenTTL),
    .seconds("refresh_idle_ttl", \.refreshIdleTTL),
    .seconds("refresh_max_ttl", \.refreshMaxTTL),
    .seconds("reuse_grace", \.reuseGrace),
  ])

  static let presence = BundleTable<PresencePolicy>([
    .seconds("idle", \.idle),
    .word("visible_to", \.visibleTo),
  ])

  static let directory = BundleTable<DirectoryPolicy>([
    .words("find_by", \.findBy),
    .texts("prefix_of", \.prefixOf),
  ])

  static let privacy = BundleTable<Privacy>([.word("account_exists", \.accountExists)])

  static let theme = BundleTable<Theme>([
    .text("primary", \.primary),
    .word("dark_mode", \.darkMode),
    .integer("logo_size", \.logoSize),
    .word("logo_place", \.logoPlace),
    .flag("wordmark", \.wordmark),
    .word("ground", \.ground),
    .integer("radius", \.radius),
    .word("font", \.font),
    .word("provider_buttons", \.providerButtons),
    .text("terms_url", \.termsURL),
    .text("privacy_url", \.privacyURL),
  ])

  static let messages = BundleTable<Messages>(
    Messages.Code.allCases.map { code in
      BundleKey(
        name: code.rawValue, write: { $0.byCode[code]?.bundled },
        read: { value, messages in messages.byCode[code] = try value.texts })
    })
}

/// The section on addresses before it is made.
struct EmailDraft: Sendable {
  var normalize: EmailPolicy.Normalize
  var existing: Existing
  var implied: ImpliedDraft
  var rules: [Rule]

  init(_ section: EmailPolicy) {
    (normalize, existing, rules) = (section.normalize, section.existing, section.rules)
    implied = ImpliedDraft(section.syntaxRule)
  }

  var section: EmailPolicy {
    EmailPolicy(
      normalize: normalize, rules: rules, existing: existing, message: implied.message, sentence: implied.sentence,
      doors: implied.doors)
  }
}

/// The section on passwords before it is made.
struct PasswordDraft: Sendable {
  var isRepeated: Bool
  var existing: Existing
  var rules: [Rule]

  init(_ section: PasswordPolicy) {
    (isRepeated, existing, rules) = (section.isRepeated, section.existing, section.rules)
  }

  var section: PasswordPolicy {
    var section = PasswordPolicy(existing: existing, rules: rules)
    section.isRepeated = isRepeated
    section.rules = rules
    return section
  }
}

/// A requirement of full access before it is made.
struct RequirementDraft: Sendable {
  var need = ""
  var enforcement = Enforcement.enforced

  static let table = BundleTable<RequirementDraft>([
    .text("need", \.need, required: true),
    .word("enforce", \.enforcement.mode),
    .day("enforce_from", \.enforcement.from),
  ])
}

extension RequirementDraft {
  init(_ requirement: Requirement) {
    self.init(need: requirement.need.text, enforcement: requirement.enforcement)
  }
}
