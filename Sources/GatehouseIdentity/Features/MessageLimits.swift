// The counts of messages with a code or link. They belong into the commit that enqueues the message, the budgets first:
// whether they have room is then answered for every recipient alike.

import GatehousePolicy
import GatehousePrimitives
import GatehouseWire

extension Limiting {
  /// The counts of one message.
  struct Message {
    /// The counts of the caller's address and of the tenant.
    var budgets: [Reservation]
    /// The counts of its recipient: the policy's cooldown and daily cap for its purpose, and the cap of all.
    var recipient: [Reservation]

    var changes: [Change] { [.limit(.reserve(budgets)), .limit(.reserve(recipient))] }
  }

  /// The counts for one message that an operator sends: a stolen token fills no mailbox, and no mail server's queue.
  static func operatorMessage(to contact: Contact, _ call: Call) -> [Reservation] {
    [
      // GUARD: operators' mail: of a recipient
      OwnLimit.operatorMailPerRecipient.count(for: call.hashed(contact), call),
      // GUARD: operators' mail: of a tenant
      OwnLimit.operatorMailPerTenant.count(call),
    ].flatMap(\.self)
  }

  /// The limit of a notice to a contact: of a proven one ten a day, and five of one kind; of an unproven one a single
  /// one in a year.
  static func notice(_ kind: MessageKind, to contact: Contact, _ call: Call) -> NoticeLimit? {
    let recipient = call.hashed(contact)
    let all = (contact.isProven ? OwnLimit.notice : .noticeUnproven).count(for: recipient, call)
    let ofKind = OwnLimit.noticeKind.count(for: "\(recipient):\(kind.rawValue)", call)
    return zip(all, ofKind).map { NoticeLimit(all: $0, ofKind: $1, isProven: contact.isProven) }.first
  }

  /// The counts for one message. A third of the recipient's is kept from askers who show nothing but the contact: a
  /// stranger does not use up the owner's.
  /// - Parameter isSent: whether a message goes out. A stand-in for one draws nothing on the tenant, and is counted
  ///   apart by the same statement.
  static func message(_ request: CodeRequest, isSent: Bool, _ call: Call) -> Message {
    var recipient =
      OwnLimit.maxSendsPerDay.count(for: key(request, call), call)
      + Limits.Name.mailPerRecipient.count(for: call.hashed(request.destination), call)
    // A client that signs up where accounts are hidden has neither session nor device yet.
    if request.isAskedByAnyone, request.purpose != .completeSignUp { recipient = recipient.map(shared) }
    if !request.isAskedByAnyone, let user = request.user {
      recipient += OwnLimit.mailPerAccount.count(for: user.text, call)
    }
    if request.id == nil { recipient += pause(request, call) }
    return Message(budgets: budgets(request, isSent: isSent, call), recipient: recipient)
  }

  /// The counts for a message that repeats a living code, where no new one can be had.
  static func again(_ code: OneTimeCode?, _ request: CodeRequest, _ call: Call) -> Message {
    Message(
      budgets: budgets(request, isSent: code != nil, call),
      recipient: OwnLimit.mailedAgain.count(for: code?.id.text ?? key(request, call), call))
  }

  private static func budgets(_ request: CodeRequest, isSent: Bool, _ call: Call) -> [Reservation] {
    let ofAddress = Limits.Name.mailPerIP.count(call)
    let ofTenant = budget(.mailPerTenant, isForAnyone: request.isAskedByAnyone, call)
    // GUARD: mail: what is not sent draws nothing on the tenant
    guard !isSent else { return ofAddress + ofTenant }
    return ofAddress + ofTenant.map(\.asked) + OwnLimit.madeUpMails.count(call)
  }

  /// The bound of stand-ins that are kept. Beyond it nothing is kept, so that made-up contacts fill no disk.
  static func keptMadeUp(_ call: Call) -> Reservation? {
    OwnLimit.madeUpMails.count(call).first.map { limit in
      var limit = limit
      limit.count = call.tenant.limits[.mailPerTenant].map { Int($0.count) } ?? limit.count
      return limit
    }
  }

  /// Whether messages to one recipient have run out, rather than those of the caller's address or of the tenant.
  static func isOfRecipient(_ name: String) -> Bool { LimitRule.named(name)?.end == .recipientIsServed }

  /// Whether a caller who shows a contact alone hears nothing of this limit: it is its recipient's.
  static func isSilent(_ name: String) -> Bool { LimitRule.named(name).map { $0.end != .told } ?? false }

  /// Counts the pause between two messages for a requester with an id, alone and before anything is looked up, so that
  /// it is the same for every contact. The seconds that are left of one that runs; nil where a message may go out now.
  ///
  /// `work` sends the message. Where it refuses, no pause begins.
  static func pausing<Value>(
    _ request: CodeRequest, _ call: Call, _ services: Services, work: () async throws -> Value
  ) async throws -> Paused<Value> {
    let wanted = pause(request, call)
    let store = services.store.open(call.tenant.id)
    if case .exhausted(_, let seconds) = try await store.reserve(wanted) { return .running(seconds: seconds) }
    let counted = Counted(wanted, by: services.clock.now)
    do {
      return .over(try await work())
    } catch {
      // A message may be on its way where the outcome is unknown.
      guard Refusal(of: error).code != .unknownOutcome else { throw error }
      try await store.commit([.limit(.giveBack(counted))], as: .anonymous)
      throw error
    }
  }

  /// Each requester of a sign-up and of a reset has an id, and a cooldown of their own: a stranger's does not keep the
  /// owner's message back.
  private static func pause(_ request: CodeRequest, _ call: Call) -> [Reservation] {
    let key = key(request, call)
    return OwnLimit.cooldown.count(for: request.id == nil ? key : "\(key):\(call.addressKey ?? "")", call)
  }

  private static func key(_ request: CodeRequest, _ call: Call) -> String {
    "\(request.purpose.rawValue):\(call.hashed(request.destination))"
  }
}

/// The outcome of a request behind a pause.
enum Paused<Value> {
  /// A message went out a moment ago: nothing was done.
  case running(seconds: Int)
  case over(Value)
}

extension Paused: Sendable where Value: Sendable {}
