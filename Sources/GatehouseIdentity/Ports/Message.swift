package import GatehousePolicy

/// The subject of a message. Each channel has words for it. The raw value is stored, names template files, and never
/// changes its meaning.
package enum MessageKind: String, CaseIterable, Codable, Sendable {
  /// Confirm the address of a new account.
  case verifyEmail = "verify_email"
  /// A client asked to reset the password.
  case resetPassword = "reset_password"
  /// An operator made the account; its owner chooses the first password.
  case setPassword = "set_password"
  /// To the new address: confirm it.
  case changeEmailConfirm = "change_email_confirm"
  /// A signed-in client asked for a fresh proof.
  case reauthenticate
  /// To the old address: it was replaced or is about to be. The link undoes it.
  case changeEmailNotice = "change_email_notice"
  /// To the address that the account left when a change was undone.
  case changeEmailUndone = "change_email_undone"
  /// The password was changed or reset.
  case passwordChanged = "password_changed"
  /// A client tried to sign up with an address that has an account (`account_exists: hide`).
  case signUpAttempt = "sign_up_attempt"
  /// A sign-in from a device not seen before.
  case newDevice = "new_device"
  /// An account at a provider was linked.
  case providerLinked = "provider_linked"
  /// The person unlinked one.
  case providerUnlinked = "provider_unlinked"
  /// A provider does not honour a link any more, or not all of it.
  case providerLinkBroken = "provider_link_broken"
  /// A provider vouched for the owner of an address with an unproven account: the account is theirs, its password gone.
  case accountReclaimed = "account_reclaimed"
  /// The account is gone, by its owner or by an operator.
  case accountDeleted = "account_deleted"
  /// A second factor was added.
  case factorAdded = "factor_added"
  /// One was removed.
  case factorRemoved = "factor_removed"
  /// One was removed because its device is lost.
  case factorLost = "factor_lost"
  /// A passkey is on one device alone now.
  case passkeyUnsynced = "passkey_unsynced"
  /// Recovery codes were made; the former ones are void.
  case recoveryCodesMade = "recovery_codes_made"
  /// A recovery code stood in for a second factor.
  case recoveryCodeUsed = "recovery_code_used"
  /// An operator removed the second factors and recovery codes.
  case mfaReset = "mfa_reset"
  /// An operator tries the mail settings.
  case test

  /// The code that messages of a kind carry.
  package struct Carried: Sendable {
    package let purpose: CodePurpose
    /// The part without which the message is of no use; nil for one that says something without it as well.
    package let needs: Need?
  }

  /// The form of the code in a message.
  package enum Need: Sendable {
    case linkOrCode, link, code

    /// Whether a message has it that has these.
    package func isMet(link: Bool, code: Bool) -> Bool {
      switch self {
      case .linkOrCode: link || code
      case .link: link
      case .code: code
      }
    }
  }

  /// The table of kinds; nil for one that carries no code.
  package var carries: Carried? {
    switch self {
    case .verifyEmail: Carried(purpose: .verifyEmail, needs: .linkOrCode)
    case .resetPassword: Carried(purpose: .resetPassword, needs: .linkOrCode)
    case .setPassword: Carried(purpose: .setPassword, needs: .link)
    case .changeEmailConfirm: Carried(purpose: .changeEmail, needs: .linkOrCode)
    case .reauthenticate: Carried(purpose: .reauthenticate, needs: .code)
    case .changeEmailNotice: Carried(purpose: .undoEmailChange, needs: nil)
    case .changeEmailUndone, .passwordChanged, .signUpAttempt, .newDevice, .providerLinked, .providerUnlinked,
      .providerLinkBroken, .accountReclaimed, .accountDeleted, .factorAdded, .factorRemoved, .factorLost,
      .passkeyUnsynced, .recoveryCodesMade, .recoveryCodeUsed, .mfaReset, .test:
      nil
    }
  }

  /// Whether the message is of no use without the code or link that it carries.
  package var isForItsCode: Bool { carries?.needs != nil }
}

extension MessageKind {
  /// A page of the tenant, for a message without a code of its own.
  package struct Place: Sendable {
    /// Below `/ui/`.
    package let page: String
    /// Whether it is behind a sign-in, which only an attested app may have.
    package let isOfAccount: Bool
  }

  /// The page where the reader of a message acts on it; nil where no page helps.
  package var place: Place? {
    switch self {
    case .changeEmailNotice, .passwordChanged: Place(page: "forgot", isOfAccount: false)
    case .newDevice: Place(page: "account/devices", isOfAccount: true)
    case .signUpAttempt, .changeEmailUndone, .mfaReset: Place(page: "sign-in", isOfAccount: true)
    case .factorAdded, .factorRemoved, .factorLost, .passkeyUnsynced, .recoveryCodesMade, .recoveryCodeUsed:
      Place(page: "account", isOfAccount: true)
    case .providerLinked, .providerUnlinked, .providerLinkBroken, .accountReclaimed:
      Place(page: "account/connections", isOfAccount: true)
    case .verifyEmail, .resetPassword, .setPassword, .changeEmailConfirm, .reauthenticate, .accountDeleted, .test: nil
    }
  }
}

/// The look of a tenant's messages, and the names in them.
package struct MessageBrand: Codable, Sendable, Equatable {
  /// The application's name as people know it.
  package var appName: String
  /// Where a person can ask for help; shown in the footer.
  package var supportEmail: String?
  /// The theme's primary colour as `#rrggbb`; anything else is ignored. There is no logo: mails load nothing remote.
  package var primaryColor: String?
  /// The terms of service and the privacy policy; shown in the footer. Orders of earlier releases have none.
  package var termsURL, privacyURL: String?

  package init(
    appName: String, supportEmail: String? = nil, primaryColor: String? = nil, termsURL: String? = nil,
    privacyURL: String? = nil
  ) {
    self.appName = appName
    self.supportEmail = supportEmail
    self.primaryColor = primaryColor
    self.termsURL = termsURL
    self.privacyURL = privacyURL
  }

  /// The look that a policy declares.
  package init(_ policy: Policy) {
    self.init(
      appName: policy.app.name, supportEmail: policy.app.supportEmail, primaryColor: policy.theme.primary,
      termsURL: policy.theme.termsURL, privacyURL: policy.theme.privacyURL)
  }
}

/// A message to be put into words. It waits sealed in the outbox until sent, so it holds everything needed and nothing
/// else. Its description names the kind only: link and code are secrets, the contact is personal.
package struct MessageOrder: Codable, Sendable, Equatable {
  /// The subject.
  package var kind: MessageKind
  /// The value of the recipient's contact.
  private var address: String
  /// The kind of the recipient's contact; nil for a mail address, as orders of releases that knew mail alone have it.
  private var contact: Contact.Kind?
  /// The recipient's display name, if the profile has one.
  package var toName: String?
  /// A BCP 47 language tag such as `en` or `es-MX`; a language without a template falls back to English.
  package var language: String
  /// The tenant's look.
  package var brand: MessageBrand
  /// The link to follow, absolute, built from the tenant's configured base URL only.
  package var link: String?
  /// The code to type.
  package var code: String?
  /// How many minutes the link is good for, counted from the making of the order.
  package var linkMinutes: Int?
  /// How many minutes the code is good for, counted from the making of the order.
  package var codeMinutes: Int?
  /// The new address, for the mails of an address change.
  package var newEmail: String?
  /// When it happened, already written out for the reader (with time zone).
  package var when: String?
  /// The device it happened on, as the client named it. Text from outside: shown, never trusted.
  package var device: String?
  /// Where that is, roughly: `Manhattan, US`.
  package var place: String?
  /// The name that people know the mail's provider by.
  package var provider: String?
  /// The tenant's own words in this language, by part; nil where it has none, as in orders of earlier releases.
  package var own: [String: String]?

  package init(
    kind: MessageKind, to: Contact, toName: String? = nil, language: String, brand: MessageBrand, link: String? = nil,
    code: String? = nil, linkMinutes: Int? = nil, codeMinutes: Int? = nil, newEmail: String? = nil,
    when: String? = nil, device: String? = nil, place: String? = nil, provider: String? = nil
  ) {
    self.kind = kind
    (address, contact) = (to.value, to.kind == .email ? nil : to.kind)
    self.toName = toName
    self.language = language
    self.brand = brand
    self.link = link
    self.code = code
    self.linkMinutes = linkMinutes
    self.codeMinutes = codeMinutes
    self.newEmail = newEmail
    self.when = when
    self.device = device
    self.place = place
    self.provider = provider
  }

  /// The tenant's own words for a part; nil where it has none.
  package func own(_ part: TextPart) -> String? { own?[part.rawValue] }

  /// Takes the tenant's own words for this kind in the language of the order.
  package mutating func takeWords(of policy: Policy) {
    guard let mail = Messages.Mail(rawValue: kind.rawValue) else { return }
    let texts = TextPart.allCases.compactMap { part in
      policy.messages.text(part, of: mail, in: language, app: policy.app.name).map { (part.rawValue, $0) }
    }
    own = texts.isEmpty ? nil : Dictionary(texts) { $1 }
  }

  /// The recipient.
  package var to: Contact { Contact(contact ?? .email, address) }

  private enum CodingKeys: String, CodingKey {
    case kind
    case address = "to"
    case contact
    case toName, language, brand, link, code, linkMinutes, codeMinutes, newEmail, when, device, place, provider
    case own
  }
}

extension MessageOrder: CustomStringConvertible, CustomReflectable {
  package var description: String { "MessageOrder(\(kind.rawValue))" }
  package var customMirror: Mirror { Mirror(self, children: ["kind": kind.rawValue]) }
}
