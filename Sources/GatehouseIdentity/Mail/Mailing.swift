// Mails as rows: each is sealed and written with its cause, in the same commit; a job sends it afterwards.

import Foundation
import GatehousePolicy
import GatehousePrimitives

enum Mailing {
  /// A mail about something that happened, without a code.
  static func notice(
    _ kind: MailKind, to user: StoredUser, _ call: Call, _ services: Services
  ) throws -> [Change] {
    try notice(order(kind, to: user.email, call), AddressOwner(user), call, services)
  }

  /// That an address was tried which is an account's. Strangers cause it: it is limited as the mail in whose place it
  /// stands, and takes nothing from the notices that an account needs.
  static func attempt(at owner: AddressOwner, _ call: Call, _ services: Services) throws -> [Change] {
    var order = order(.signUpAttempt, to: owner.address, call)
    guard owner.isProven else { return try notice(order, owner, call, services) }
    order.when = "\(Moment.text(call.now)) UTC"
    return [try enqueue(order, about: owner.user, expires: call.now.addingTimeInterval(86_400), call, services)]
  }

  /// The notice of what became of a link to a provider.
  static func link(_ kind: MailKind, at provider: String, to user: StoredUser, _ call: Call, _ services: Services)
    throws -> [Change]
  {
    var order = order(kind, to: user.email, call)
    order.provider = Label.provider(provider)
    return try notice(order, AddressOwner(user), call, services)
  }

  /// The notice of a deletion, of an address that was proven; it follows the deletion in its commit. The mail belongs
  /// to no account, so that it outlives this one: sealed until it is sent, and then a row without a word of the
  /// person's.
  static func deleted(_ user: StoredUser, _ call: Call, _ services: Services) throws -> [Change] {
    // GUARD: deletion: mailed to a proven address alone
    guard user.emailVerifiedAt != nil else { return [] }
    let order = order(.accountDeleted, to: user.email, call)
    return try notice(order, AddressOwner(user: nil, address: user.email, isProven: true), call, services)
  }

  /// A mail that its reader did not ask for, within the limit of all such mails (`NoticeLimit`).
  private static func notice(_ order: MailOrder, _ owner: AddressOwner, _ call: Call, _ services: Services) throws
    -> [Change]
  {
    var order = order
    order.when = "\(Moment.text(call.now)) UTC"
    let day = call.now.addingTimeInterval(86_400)
    let mail = try outgoing(order, about: owner.user, expires: day, call, services)
    return [.mail(.notify(mail, NoticeLimit(recipient: call.hashed(owner.address), isProven: owner.isProven)))]
  }

  /// The notice of a sign-in on a device that is new and not the one that the account was made on, where the policy
  /// wants it (NIST SP 800-63B-4 section 4.6, OWASP ASVS 6.3.7).
  static func newDevice(_ device: PresentedDevice, to user: StoredUser, _ call: Call, _ services: Services) throws
    -> [Change]
  {
    guard device.isSurprising, call.policy.sessions.newDeviceNotice else { return [] }
    var order = order(.newDevice, to: user.email, call)
    order.device = device.device.name
    order.place = call.place(services)
    return try notice(order, AddressOwner(user), call, services)
  }

  /// A mail with a fresh code and link for a purpose, within the policy's cooldown and caps.
  static func code(_ request: CodeRequest, _ call: Call, _ services: Services) throws -> MailedCode {
    let minted = services.codes.mint(call.tenant.id, request.purpose, to: request.destination)
    let rules = call.policy.verification.email
    let wantsLink = request.only.map { $0 == .link } ?? (rules.method != .code)
    let wantsDigits = request.only.map { $0 == .digits } ?? (rules.method != .link)
    let id = request.id ?? services.clock.makeID()
    var order = order(request.mail, to: request.destination, call)
    if wantsLink {
      let path = "\(call.tenant.issuer)/ui/\(request.purpose.page)?token="
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
      tokenExpiresAt: call.now.addingTimeInterval(TimeInterval(request.linkTTL)),
      codeExpiresAt: call.now.addingTimeInterval(TimeInterval(rules.codeTTL)),
      sealedPayload: try request.payload.map { try call.tenant.vault.seal($0, for: .codePayload(id)) },
      createdAt: call.now)
    let limits: Limiting.Mail? =
      switch request.bounds {
      case .policy: Limiting.mail(request, isSent: true, call)
      case .operators: Limiting.Mail(budgets: [], recipient: Limiting.operatorMail(to: request.destination, call))
      case .none: nil
      }
    // A mail that may be sent again is kept as it was first sent.
    if request.purpose == .resetPassword {
      code.sealedPayload = try call.tenant.vault.seal(try JSONEncoding.encode(order), for: .codePayload(id))
    }
    let expiry = wantsLink ? code.tokenExpiresAt : code.codeExpiresAt
    return MailedCode(
      limits: limits, limitsOfOther: limits, code: code, isAskedByAnyone: request.isAskedByAnyone,
      mail: try outgoing(order, about: request.user, expires: expiry, call, services))
  }

  /// What `code` would write for an address that is not to be mailed at: the same statements and rows, the code one
  /// that nothing redeems and the mail one whose time has passed. Neither time nor rows tell it apart. Only what the
  /// tenant mails is not counted for it.
  static func decoy(_ request: CodeRequest, _ call: Call, _ services: Services) throws -> MailedCode {
    var mailed = try code(request, call, services)
    if request.bounds == .policy {
      mailed.limits = Limiting.mail(request, isSent: false, call)
      mailed.kept = Limiting.keptMadeUp(call)
    }
    mailed.code.user = nil
    // Of an address that belongs to no account, only a hash is kept.
    mailed.code.destination = call.hashed(request.destination)
    mailed.code.sealedPayload = mailed.code.sealedPayload.map { SecureRandom.bytes($0.count) }
    (mailed.code.tokenExpiresAt, mailed.code.codeExpiresAt) = (call.now, call.now)
    mailed.mail.expiresAt = call.now
    return mailed
  }

  /// The link of a living code once more, when no new one can be had; or, where none lives, a mail that is never sent.
  /// Its digits stay out where it has a link: they are good for the requester who asked first.
  static func again(_ newest: OneTimeCode?, _ request: CodeRequest, _ call: Call, _ services: Services) throws
    -> [Change]
  {
    // GUARD: mail: only a living link is mailed again
    let code = newest?.isLive(at: call.now) == true ? newest : nil
    var order = order(request.mail, to: request.destination, call)
    var expiry = call.now
    if let code, let sealed = code.sealedPayload {
      let payload = try call.tenant.vault.open(sealed, for: .codePayload(code.id))
      order = try payload.expose { try StrictDecoder.decode(MailOrder.self, from: $0) }
      order.linkMinutes = order.link == nil ? nil : minutes(until: code.tokenExpiresAt, call)
      order.codeMinutes = order.code == nil ? nil : minutes(until: code.codeExpiresAt, call)
      if order.linkMinutes == nil { order.link = nil }
      if order.codeMinutes == nil || order.link != nil { (order.code, order.codeMinutes) = (nil, nil) }
      expiry = call.now.addingTimeInterval(60 * Double(max(order.linkMinutes ?? 0, order.codeMinutes ?? 0)))
    }
    let mail = try outgoing(order, about: request.user, expires: expiry, call, services)
    let kept = code == nil ? Limiting.keptMadeUp(call) : nil
    return Limiting.again(code, request, call).changes + [.mail(.enqueue(mail, within: kept))]
  }

  /// Whole minutes; nil for less than one.
  private static func minutes(until end: Date, _ call: Call) -> Int? {
    let minutes = Int(end.timeIntervalSince(call.now) / 60)
    return minutes < 1 ? nil : minutes
  }

  /// The verification mail of an account.
  /// - Parameters:
  ///   - isAskedByAnyone: whether its asker showed nothing but the address.
  ///   - isNew: whether the account is made in the same commit, by a stranger as well.
  static func verification(
    of user: StoredUser, isAskedByAnyone: Bool = false, isNew: Bool = false, _ call: Call, _ services: Services
  ) throws -> [Change] {
    var request = CodeRequest(
      .verifyEmail, .verifyEmail, to: user.email, user: user.id,
      linkTTL: call.policy.verification.email.linkTTL)
    request.isAskedByAnyone = isAskedByAnyone || isNew
    return try code(request, call, services).changes
      + [
        isAskedByAnyone
          ? call.bounded(.verificationSent, services, user: user.id)
          : .audit(call.entry(.verificationSent, services, user: user.id))
      ]
  }

  private static func order(_ kind: MailKind, to address: String, _ call: Call) -> MailOrder {
    MailOrder(kind: kind, to: address, language: call.language, brand: MailBrand(call.policy))
  }

  private static func enqueue(
    _ order: MailOrder, about user: UserID?, expires: Date, _ call: Call, _ services: Services
  ) throws -> Change {
    .mail(.enqueue(try outgoing(order, about: user, expires: expires, call, services)))
  }

  private static func outgoing(
    _ order: MailOrder, about user: UserID?, expires: Date, _ call: Call, _ services: Services
  ) throws -> OutgoingMail {
    let id = services.clock.makeID()
    let sealed = try call.tenant.vault.seal(try JSONEncoding.encode(order), for: .outbox(id))
    return OutgoingMail(
      id: id, kind: order.kind, user: user, sealedOrder: sealed, createdAt: call.now, expiresAt: expires)
  }
}
