import Foundation

/// A code and the message that carries it, before they are committed.
struct CodeMessage {
  /// The counts that keep the message within the policy's cooldown and caps; nil where no limit binds.
  var limits: Limiting.Message?
  /// The same for a message in the place of its own, which is sent in any case.
  var limitsOfOther: Limiting.Message?
  var code: OneTimeCode
  var isAskedByAnyone: Bool
  var message: OutgoingMessage
  /// Of what only stands in for a code: the counter within which it is kept.
  var kept: Reservation?

  var changes: [Change] {
    (limits?.changes ?? []) + [
      .code(.insert(code, isAskedByAnyone: isAskedByAnyone, within: kept)), .message(.enqueue(message, within: kept)),
    ]
  }

  /// The same with another message in the place of its own.
  func changes(sending other: [Change]) -> [Change] {
    (limitsOfOther?.changes ?? []) + [.code(.insert(code, isAskedByAnyone: isAskedByAnyone))] + other
  }
}

/// The purpose of a requested code.
struct CodeRequest {
  enum Bounds {
    /// The cooldown and the caps of the policy.
    case policy
    /// The fixed caps of messages that operators send.
    case operators
    /// None: the message follows from another one's answer, once.
    case none
  }

  var purpose: CodePurpose
  var message: MessageKind
  var destination: Contact
  var user: UserID?
  /// Seconds that the link lives.
  var linkTTL: Int64
  var payload: [UInt8]?
  /// The code's own id, where its requester is told it: its digits need it.
  var id: UUID?
  /// The session that asks, where confirming takes it.
  var session: SessionID?
  var newEmail: String?
  /// The only carrier, in place of those of the policy's method; nil for those.
  var only: Carrier?
  /// The bounds of the message.
  var bounds = Bounds.policy
  /// Whether its asker showed nothing but the contact: no session, no device of the account. A part of each limit is
  /// kept from them.
  var isAskedByAnyone = false

  /// The content of a message.
  enum Carrier {
    /// For messages whose answer is a page.
    case link
    /// For messages whose answer belongs where they were asked for.
    case digits
  }

  init(
    _ purpose: CodePurpose, _ message: MessageKind, to destination: Contact, user: UserID?, linkTTL: Int64
  ) {
    self.purpose = purpose
    self.message = message
    self.destination = destination
    self.user = user
    self.linkTTL = linkTTL
  }
}
