package import Foundation
package import GatehousePolicy

// The path of a mail through the business, in order: an order is written to the outbox with its cause, sealed;
// after the commit a job takes it, renders it, and hands the message to a transport. The outbound room implements
// `MailRenderer` and `MailTransport`.

/// What a mail is about. The raw value is stored, names template files, and never changes its meaning.
package enum MailKind: String, CaseIterable, Codable, Sendable {
  /// Confirm the address of a new account. Needs a link, a code or both.
  case verifyEmail = "verify_email"
  /// A client asked to reset the password. Needs a link, a code or both.
  case resetPassword = "reset_password"
  /// An operator made the account; its owner chooses the first password. Needs a link.
  case setPassword = "set_password"
  /// To the new address: confirm it. Needs a link, a code or both.
  case changeEmailConfirm = "change_email_confirm"
  /// A signed-in client asked for a fresh proof. Needs a code.
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
  /// An operator tries the mail settings.
  case test

  /// Whether it is of no use without the code or link that it carries.
  package var isForItsCode: Bool {
    switch self {
    case .verifyEmail, .resetPassword, .setPassword, .changeEmailConfirm, .reauthenticate: true
    case .changeEmailNotice, .changeEmailUndone, .passwordChanged, .signUpAttempt, .newDevice, .providerLinked,
      .providerUnlinked, .providerLinkBroken, .accountReclaimed, .accountDeleted, .test:
      false
    }
  }
}

/// How a tenant's mails look and whom they name.
package struct MailBrand: Codable, Sendable, Equatable {
  /// The application's name as people know it.
  package var appName: String
  /// Where a person can ask for help; shown in the footer.
  package var supportEmail: String?
  /// The theme's primary colour as `#rrggbb`; anything else is ignored. There is no logo: mails load nothing remote.
  package var primaryColor: String?

  package init(appName: String, supportEmail: String? = nil, primaryColor: String? = nil) {
    self.appName = appName
    self.supportEmail = supportEmail
    self.primaryColor = primaryColor
  }

  /// The look that a policy declares.
  package init(_ policy: Policy) {
    self.init(
      appName: policy.app.name, supportEmail: policy.app.supportEmail, primaryColor: policy.theme.primary)
  }
}

/// A mail to be rendered. It waits sealed in the outbox until sent, so it holds everything needed and nothing else.
/// Its description names the kind only: link and code are secrets, the address is personal.
package struct MailOrder: Codable, Sendable, Equatable {
  /// What it is about.
  package var kind: MailKind
  /// The canonical address of the recipient (`local@domain`).
  package var to: String
  /// The recipient's display name, if the profile has one.
  package var toName: String?
  /// A BCP 47 language tag such as `en` or `es-MX`; a language without a template falls back to English.
  package var language: String
  /// The tenant's look.
  package var brand: MailBrand
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
  /// What people call the provider that it is about.
  package var provider: String?

  package init(
    kind: MailKind, to: String, toName: String? = nil, language: String, brand: MailBrand, link: String? = nil,
    code: String? = nil, linkMinutes: Int? = nil, codeMinutes: Int? = nil, newEmail: String? = nil,
    when: String? = nil, device: String? = nil, place: String? = nil, provider: String? = nil
  ) {
    self.kind = kind
    self.to = to
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
}

/// The words of one mail. The text and HTML parts say the same.
package struct RenderedMail: Sendable, Equatable {
  /// One line of text.
  package var subject: String
  /// Plain text, lines ended by `\n`.
  package var text: String
  /// A whole HTML document without remote resources.
  package var html: String

  package init(subject: String, text: String, html: String) {
    self.subject = subject
    self.text = text
    self.html = html
  }
}

/// Turns an order into words.
package protocol MailRenderer: Sendable {
  /// Renders `order` for the tenant with the identifier `tenant` (`dd-ride`), whose own templates win over the
  /// built-in.
  ///
  /// Throws if the order lacks what its kind needs (a link or a code), or a template of the tenant is broken. Trying
  /// again does not help until the cause is mended.
  func render(_ order: MailOrder, tenant: String) throws -> RenderedMail
}

/// A mailbox with the name shown for it.
package struct MailAddress: Sendable, Equatable {
  /// The name shown, any text on one line.
  package var name: String?
  /// `local@domain`.
  package var address: String

  package init(name: String? = nil, address: String) {
    self.name = name
    self.address = address
  }
}

/// One message ready for a transport. Made once per order: every retry carries the same `messageID` and `date`, so that
/// a mail delivered twice is recognised (RFC 5322 section 3.6.4).
package struct MailMessage: Sendable, Equatable {
  /// `id@domain` without angle brackets, unique, the same at each retry.
  package var messageID: String
  /// When the message was made (not: when it is tried).
  package var date: Date
  /// The sender that is shown.
  package var from: MailAddress
  /// The address of the envelope, which bounces come back to.
  package var sender: String
  /// The one recipient.
  package var to: MailAddress
  /// Where answers go, when not to `from`.
  package var replyTo: MailAddress?
  /// The words.
  package var mail: RenderedMail
  /// Further header fields by name, in this order. `Auto-Submitted: auto-generated` (RFC 3834) is always there.
  package var headers: [Header]

  /// One header field.
  package struct Header: Sendable, Equatable {
    package var name: String
    package var value: String

    package init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  package init(
    messageID: String, date: Date, from: MailAddress, sender: String, to: MailAddress, replyTo: MailAddress? = nil,
    mail: RenderedMail, headers: [Header] = []
  ) {
    self.messageID = messageID
    self.date = date
    self.from = from
    self.sender = sender
    self.to = to
    self.replyTo = replyTo
    self.mail = mail
    self.headers = headers
  }
}

/// How one attempt ended. The texts are for operators: they hold the server's reply, no address, link or code.
package enum MailOutcome: Sendable, Equatable {
  /// The next hop took responsibility for the message.
  case delivered(detail: String)
  /// It may work later: a 4xx reply, no connection, a time-out. Also when the reply to the data was lost, so that a
  /// retry can deliver twice (with the same Message-ID).
  case temporaryFailure(reason: String)
  /// It will not work: a 5xx reply, or a message no transport may send.
  case permanentFailure(reason: String)
}

/// Carries messages away.
package protocol MailTransport: Sendable {
  /// Where messages go, for the log: host and port, or a directory.
  var destination: String { get }

  /// One attempt, bounded in time by the transport's own settings. Never throws: every end is an outcome. Safe to call
  /// from many tasks at once; blocks no thread of the caller's.
  func deliver(_ message: MailMessage) async -> MailOutcome
}

extension MailOrder: CustomStringConvertible, CustomReflectable {
  package var description: String { "MailOrder(\(kind.rawValue))" }
  package var customMirror: Mirror { Mirror(self, children: ["kind": kind.rawValue]) }
}

extension RenderedMail: CustomStringConvertible, CustomReflectable {
  package var description: String { "RenderedMail(…)" }
  package var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension MailMessage: CustomStringConvertible, CustomReflectable {
  package var description: String { "MailMessage(<\(messageID)>)" }
  package var customMirror: Mirror { Mirror(self, children: ["messageID": messageID]) }
}
