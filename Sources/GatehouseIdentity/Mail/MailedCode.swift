import Foundation

/// A code and the mail that carries it, before they are committed.
struct MailedCode {
  /// What keeps the mail within the policy's cooldown and caps; nil where no limit binds.
  var limits: Limiting.Mail?
  /// The same for a mail in the place of its own, which is sent in any case.
  var limitsOfOther: Limiting.Mail?
  var code: OneTimeCode
  var isAskedByAnyone: Bool
  var mail: OutgoingMail
  /// Of what only stands in for a code: the counter within which it is kept.
  var kept: Reservation?

  var changes: [Change] {
    (limits?.changes ?? []) + [
      .code(.insert(code, isAskedByAnyone: isAskedByAnyone, within: kept)), .mail(.enqueue(mail, within: kept)),
    ]
  }

  /// The same with another mail in the place of its own.
  func changes(mailing other: [Change]) -> [Change] {
    (limitsOfOther?.changes ?? []) + [.code(.insert(code, isAskedByAnyone: isAskedByAnyone))] + other
  }
}

/// The purpose of a requested code.
struct CodeRequest {
  enum Bounds {
    /// The cooldown and the caps of the policy.
    case policy
    /// The fixed caps of mails that operators send.
    case operators
    /// None: the mail follows from another mail's answer, once.
    case none
  }

  var purpose: CodePurpose
  var mail: MailKind
  var destination: String
  var user: UserID?
  /// Seconds that the link lives.
  var linkTTL: Int64
  var payload: [UInt8]?
  /// The code's own id, where its requester is told it: its digits need it.
  var id: UUID?
  /// The session that asks, where confirming takes it.
  var session: SessionID?
  var newEmail: String?
  /// What alone it carries, whatever the policy's method; nil: what that says.
  var only: Carrier?
  /// What bounds the mail.
  var bounds = Bounds.policy
  /// Whether its asker showed nothing but the address: no session, no device of the account. A part of each limit is
  /// kept from them.
  var isAskedByAnyone = false

  /// What a mail carries.
  enum Carrier {
    /// For mails whose answer is a page.
    case link
    /// For mails whose answer belongs where they were asked for.
    case digits
  }

  init(
    _ purpose: CodePurpose, _ mail: MailKind, to destination: String, user: UserID?, linkTTL: Int64
  ) {
    self.purpose = purpose
    self.mail = mail
    self.destination = destination
    self.user = user
    self.linkTTL = linkTTL
  }
}

extension CodePurpose {
  /// The page its link opens.
  package var page: String {
    switch self {
    case .verifyEmail, .completeSignUp: "verify-email"
    case .resetPassword, .setPassword: "reset-password"
    case .changeEmail: "confirm-email"
    case .undoEmailChange: "undo-email"
    case .reauthenticate: "reauthenticate"
    }
  }
}
