// Messages as rows: each is sealed and written with its cause, in the same commit; a job sends it afterwards.

import Foundation
import GatehousePolicy
import GatehousePrimitives

enum Messaging {
  /// The notices of something that happened, without a code: one to each contact of the account.
  static func notice(_ kind: MessageKind, to user: StoredUser, _ call: Call, _ services: Services) throws -> [Change] {
    try notices(kind, to: user, call, services) { _ in }
  }

  /// The notice that a client tried an address which is an account's. Strangers cause it: it is limited as the message
  /// in whose place it stands, and takes nothing from the notices that an account needs.
  static func attempt(at owner: AddressOwner, _ call: Call, _ services: Services) throws -> [Change] {
    var order = order(.signUpAttempt, to: owner.contact, call)
    guard owner.contact.isProven else { return try notice(order, owner.contact, about: owner.user, call, services) }
    order.when = "\(Moment.text(call.now)) UTC"
    return [try enqueue(order, about: owner.user, expires: call.now.addingTimeInterval(86_400), call, services)]
  }

  /// The notices of what became of a link to a provider.
  static func link(_ kind: MessageKind, at provider: String, to user: StoredUser, _ call: Call, _ services: Services)
    throws -> [Change]
  {
    try notices(kind, to: user, call, services) { $0.provider = Label.provider(provider) }
  }

  /// The notices of a deletion, to contacts that were proven; they follow the deletion in its commit. The messages
  /// belong to no account, so that they outlive this one: sealed until they are sent, and then rows without a word of
  /// the person's.
  static func deleted(_ user: StoredUser, _ call: Call, _ services: Services) throws -> [Change] {
    // GUARD: deletion: mailed to a proven address alone
    let proven = user.contacts.filter(\.isProven)
    return try proven.flatMap { contact in
      try notice(order(.accountDeleted, to: contact, call), contact, about: nil, call, services)
    }
  }

  /// The notices of a sign-in on a device that is new and not the one that the account was made on, where the policy
  /// wants them (NIST SP 800-63B-4 section 4.6, OWASP ASVS 6.3.7).
  static func newDevice(_ device: PresentedDevice, to user: StoredUser, _ call: Call, _ services: Services) throws
    -> [Change]
  {
    guard device.isSurprising, call.policy.sessions.newDeviceNotice else { return [] }
    return try notices(.newDevice, to: user, call, services) { order in
      order.device = device.device.name
      order.place = call.place(services)
    }
  }

  private static func notices(
    _ kind: MessageKind, to user: StoredUser, _ call: Call, _ services: Services, fill: (inout MessageOrder) -> Void
  ) throws -> [Change] {
    try user.contacts.flatMap { contact in
      var order = order(kind, to: contact, call)
      fill(&order)
      return try notice(order, contact, about: user.id, call, services)
    }
  }

  /// A message that its reader did not ask for, within the limit of all such messages (`NoticeLimit`).
  private static func notice(
    _ order: MessageOrder, _ contact: Contact, about user: UserID?, _ call: Call, _ services: Services
  ) throws -> [Change] {
    var order = order
    order.when = "\(Moment.text(call.now)) UTC"
    let day = call.now.addingTimeInterval(86_400)
    let message = try outgoing(order, about: user, expires: day, call, services)
    let limit = Limiting.notice(order.kind, to: contact, call)
    return [.message(limit.map { .notify(message, $0) } ?? .enqueue(message))]
  }

  /// A message with a fresh code and link for a purpose, within the policy's cooldown and caps.
  static func code(_ request: CodeRequest, _ call: Call, _ services: Services) throws -> CodeMessage {
    let minted = services.codes.mint(call.tenant.id, request.purpose, to: request.destination)
    let rules = call.policy.verification.email
    let wantsLink = request.only.map { $0 == .link } ?? (rules.method != .code)
    let wantsDigits = request.only.map { $0 == .digits } ?? (rules.method != .link)
    // The time of a code begins when its message was sent; until then, it has the time that the message may wait.
    let sent = call.now.addingTimeInterval(
      TimeInterval(max(request.purpose.terms.waits, wantsLink ? request.linkTTL : rules.codeTTL)))
    let id = request.id ?? services.clock.makeID()
    var order = order(request.message, to: request.destination, call)
    if wantsLink {
      let path = "\(call.tenant.issuer)/ui/\(request.purpose.terms.page)?lang=\(order.language)&token="
      order.link = minted.token.expose { path + $0 }
      order.linkMinutes = Int(request.linkTTL / 60)
    }
    if wantsDigits {
      order.code = minted.digits.expose { $0 }
      order.codeMinutes = Int(rules.codeTTL / 60)
    }
    order.newEmail = request.newEmail
    var code = OneTimeCode(
      id: id, purpose: request.purpose, user: request.user, session: request.session,
      destination: request.destination, tokenHash: wantsLink ? minted.tokenHash : nil,
      codeMAC: wantsDigits ? minted.codeMAC : nil,
      tokenExpiresAt: sent.addingTimeInterval(TimeInterval(request.linkTTL)),
      codeExpiresAt: sent.addingTimeInterval(TimeInterval(rules.codeTTL)),
      sealedPayload: try request.payload.map { try call.tenant.vault.seal($0, for: .codePayload(id)) },
      createdAt: call.now)
    let limits: Limiting.Message? =
      switch request.bounds {
      case .policy: Limiting.message(request, isSent: true, call)
      case .operators: Limiting.Message(budgets: [], recipient: Limiting.operatorMessage(to: request.destination, call))
      case .none: nil
      }
    // A message that may be sent again is kept as it was first sent.
    if request.purpose == .resetPassword {
      code.sealedPayload = try call.tenant.vault.seal(try JSONEncoding.encode(order), for: .codePayload(id))
    }
    var message = try outgoing(order, about: request.user, expires: sent, call, services)
    message.carried = CarriedCode(id: id, linkSeconds: request.linkTTL, codeSeconds: rules.codeTTL)
    return CodeMessage(
      limits: limits, limitsOfOther: limits, code: code, isAskedByAnyone: request.isAskedByAnyone, message: message)
  }

  /// The same statements and rows as of `code`, for a contact that is to get no message: the code one that nothing
  /// redeems and the message one whose time has passed. Neither time nor rows tell it apart. Only what the tenant sends
  /// is not counted for it.
  static func decoy(_ request: CodeRequest, _ call: Call, _ services: Services) throws -> CodeMessage {
    var made = try code(request, call, services)
    if request.bounds == .policy {
      made.limits = Limiting.message(request, isSent: false, call)
      made.kept = Limiting.keptMadeUp(call)
    }
    made.code.user = nil
    // Of a contact that belongs to no account, only a hash is kept.
    made.code.destination = Contact(request.destination.kind, call.hashed(request.destination))
    made.code.sealedPayload = made.code.sealedPayload.map { SecureRandom.bytes($0.count) }
    (made.code.tokenExpiresAt, made.code.codeExpiresAt) = (call.now, call.now)
    made.message.expiresAt = call.now
    return made
  }

  /// The link of a living code once more, when no new one can be had; or, where none lives, a message that is never
  /// sent. Its digits stay out where it has a link: they are good for the requester who asked first.
  static func again(_ newest: OneTimeCode?, _ request: CodeRequest, _ call: Call, _ services: Services) throws
    -> [Change]
  {
    // GUARD: mail: only a living link is mailed again
    let code = newest?.isLive(at: call.now) == true ? newest : nil
    var order = order(request.message, to: request.destination, call)
    var expiry = call.now
    if let code, let sealed = code.sealedPayload {
      let payload = try call.tenant.vault.open(sealed, for: .codePayload(code.id))
      order = try payload.expose { try StrictDecoder.decode(MessageOrder.self, from: $0) }
      order.linkMinutes = order.linkMinutes.flatMap { most in
        minutes(until: code.tokenExpiresAt, call).map { min($0, most) }
      }
      order.codeMinutes = order.codeMinutes.flatMap { most in
        minutes(until: code.codeExpiresAt, call).map { min($0, most) }
      }
      if order.linkMinutes == nil { order.link = nil }
      if order.codeMinutes == nil || order.link != nil { (order.code, order.codeMinutes) = (nil, nil) }
      expiry = call.now.addingTimeInterval(60 * Double(max(order.linkMinutes ?? 0, order.codeMinutes ?? 0)))
    }
    var message = try outgoing(order, about: request.user, expires: expiry, call, services)
    message.carried = code.map { code in
      CarriedCode(
        id: code.id, linkSeconds: order.linkMinutes.map { Int64(60 * $0) },
        codeSeconds: order.codeMinutes.map { Int64(60 * $0) })
    }
    let kept = code == nil ? Limiting.keptMadeUp(call) : nil
    return Limiting.again(code, request, call).changes + [.message(.enqueue(message, within: kept))]
  }

  /// Whole minutes; nil for less than one.
  private static func minutes(until end: Date, _ call: Call) -> Int? {
    let minutes = Int(end.timeIntervalSince(call.now) / 60)
    return minutes < 1 ? nil : minutes
  }

  /// The message that asks the owner of an account to prove its address; none where it has no address.
  /// - Parameters:
  ///   - isAskedByAnyone: whether its asker showed nothing but the address.
  ///   - isNew: whether the account is made in the same commit, by a stranger as well.
  static func verification(
    of user: StoredUser, isAskedByAnyone: Bool = false, isNew: Bool = false, _ call: Call, _ services: Services
  ) throws -> [Change] {
    guard let email = user.email else { return [] }
    var request = CodeRequest(
      .verifyEmail, .verifyEmail, to: .email(email), user: user.id,
      linkTTL: call.policy.verification.email.linkTTL)
    request.isAskedByAnyone = isAskedByAnyone || isNew
    return try code(request, call, services).changes
      + [
        isAskedByAnyone
          ? call.bounded(.verificationSent, services, user: user.id)
          : .audit(call.entry(.verificationSent, services, user: user.id))
      ]
  }

  private static func order(_ kind: MessageKind, to contact: Contact, _ call: Call) -> MessageOrder {
    var order = MessageOrder(kind: kind, to: contact, language: call.language, brand: MessageBrand(call.policy))
    order.link = kind.place.flatMap { address(of: $0, call) }
    order.takeWords(of: call.policy)
    return order
  }

  /// The address of a page; nil where it is closed to browsers.
  private static func address(of place: MessageKind.Place, _ call: Call) -> String? {
    // GUARD: mail: no link to a closed page
    let isOpen = place.isOfAccount ? !call.policy.demandsAttestation(at: .signIn) : call.policy.hasPassword
    return isOpen ? "\(call.tenant.issuer)/ui/\(place.page)" : nil
  }

  private static func enqueue(
    _ order: MessageOrder, about user: UserID?, expires: Date, _ call: Call, _ services: Services
  ) throws -> Change {
    .message(.enqueue(try outgoing(order, about: user, expires: expires, call, services)))
  }

  private static func outgoing(
    _ order: MessageOrder, about user: UserID?, expires: Date, _ call: Call, _ services: Services
  ) throws -> OutgoingMessage {
    let id = services.clock.makeID()
    let sealed = try call.tenant.vault.seal(try JSONEncoding.encode(order), for: .outbox(id))
    return OutgoingMessage(
      id: id, kind: order.kind, channel: order.to.kind.channel, user: user, sealedOrder: sealed, createdAt: call.now,
      expiresAt: expires)
  }
}
